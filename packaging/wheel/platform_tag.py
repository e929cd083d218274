"""Names the platform of the wheel: it holds programs, but works with every Python 3."""

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PlatformTag(BuildHookInterface):
    """Sets the wheel's tag."""

    def initialize(self, version, build_data):
        """Is called before the files are collected."""
        build_data["pure_python"] = False
        build_data["tag"] = "py3-none-@platform@"
