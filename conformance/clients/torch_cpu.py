"""PyTorch on the CPU, whose wheel carries a libgomp: prints results, so that two runs can be compared."""

import torch
from torch.nn import functional

torch.manual_seed(1)
left = torch.randn(200, 300, dtype=torch.float64)
right = torch.randn(300, 250, dtype=torch.float64)
print("threads", torch.get_num_threads())
print("product", f"{(left @ right).sum().item():.10g}")

images = torch.randn(8, 3, 40, 40, dtype=torch.float64)
kernels = torch.randn(6, 3, 5, 5, dtype=torch.float64)
print("convolution", f"{functional.conv2d(images, kernels).pow(2).sum().item():.10g}")

model = torch.nn.Sequential(torch.nn.Linear(50, 80), torch.nn.Tanh(), torch.nn.Linear(80, 10)).double()
optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
inputs, classes = torch.randn(500, 50, dtype=torch.float64), torch.randint(0, 10, (500,))
for _ in range(20):
    optimiser.zero_grad()
    loss = functional.cross_entropy(model(inputs), classes)
    loss.backward()
    optimiser.step()
print("loss", f"{loss.item():.10g}")

values = torch.randn(400_000, dtype=torch.float64)
print("sorted", f"{torch.sort(values)[0][::1000].sum().item():.10g}")
print("sum", f"{values.sum().item():.10g}")
print("softmax", f"{torch.softmax(values.view(400, 1000), 1).pow(2).sum().item():.10g}")
print("histogram", torch.histc(values, 7, -3, 3).tolist())
