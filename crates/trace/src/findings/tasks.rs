//! Explicit tasks: too short, too few, created by one thread, or waiting for each other.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run, percent, total};
use crate::Site;
use crate::analysis::{ActivityKind, Region, TaskSite};
use crate::units::duration;

/// Creating and executing a task costs up to so much.
const TASK_COST_NS: u64 = 1_000;
/// What the creation of a task adds to the time of the task that creates it, together with its record.
const CREATION_NS: u64 = 120;
/// Fewer waits in a row are no habit.
const LEAST_BATCHES: u64 = 10;
/// `ompt_sync_region_t`.
const TASKGROUP: u64 = 6;
/// `ompt_work_t` of a taskloop.
const TASKLOOP: u64 = 7;

/// Finds what is wrong with the tasks of a region. False if the region has no tasks of its own.
pub fn find(run: &Run<'_>, region: &Region, found: &mut Vec<Finding>) -> bool {
    let sites: Vec<&TaskSite> = run.summary.tasks.iter().filter(|site| site.region == region.site()).collect();
    let Some(main) = sites.iter().max_by_key(|site| site.total_ns) else { return false };
    let created = total(sites.iter().map(|site| site.created));
    let work = total(sites.iter().map(|site| site.total_ns));
    let waited = total(run.waits(region.site()).map(|wait| wait.wait_ns));
    let lost = region.thread_ns.saturating_sub(region.work_ns);
    let share = |count: fn(&TaskSite) -> u64| {
        let of = total(sites.iter().map(|site| count(site)));
        percent(of, created)
    };
    let is_taskloop = run.waits(region.site()).flat_map(|wait| &wait.causes);
    let is_taskloop =
        is_taskloop.map(|(activity, _)| activity).find(|activity| activity.kind == ActivityKind::Work(TASKLOOP));
    // Waiting while another member creates tasks, rather than for tasks.
    let (mut for_tasks, mut for_creator, mut for_group, mut in_group) = (0, 0, 0, None);
    for wait in run.waits(region.site()).filter(|wait| wait.kind == TASKGROUP) {
        for_group = u64::saturating_add(for_group, wait.wait_ns);
        in_group = Some(wait.site);
    }
    for &(activity, ns) in run.waits(region.site()).flat_map(|wait| &wait.causes) {
        match activity.kind {
            ActivityKind::Task => for_tasks = u64::saturating_add(for_tasks, ns),
            ActivityKind::TaskInWait(kind) => {
                for_tasks = for_tasks.saturating_add(ns);
                if kind == TASKGROUP {
                    in_group = Some(activity.site);
                    for_group = for_group.saturating_add(ns);
                }
            }
            ActivityKind::Body | ActivityKind::Work(_) | ActivityKind::Masked => {
                for_creator = u64::saturating_add(for_creator, ns);
            }
            _ => {}
        }
    }
    let mean = work / created.max(1);
    let fine = mean < TASK_COST_NS && created / region.calls.max(1) > 100;
    let one_producer = percent(region.tasks_of_one, region.tasks) >= 95
        && for_creator > for_tasks
        && created / region.calls.max(1) >= 4;
    let (cause, site, sentence, advice) = if let (true, Some(taskloop)) = (fine, is_taskloop) {
        (
            Cause::TaskloopTooFine,
            taskloop.site,
            "the taskloop's tasks are shorter than their creation",
            "a larger grainsize, or num_tasks of some tasks for each thread",
        )
    } else if one_producer {
        (
            Cause::OneProducer,
            main.site(),
            "one thread creates all tasks, and the others wait for tasks",
            "let all threads create tasks (a worksharing loop around the task, or taskloop), or make tasks larger",
        )
    } else if share(|site| site.blocked) >= 30 && percent(lost, region.thread_ns) >= 20 {
        (
            Cause::DependenceChain,
            // Of tasks that wait for each other, the longest ones make the chain long.
            sites
                .iter()
                .max_by_key(|site| site.blocked.saturating_mul(site.mean_ns()))
                .map_or(main.site(), |site| site.site()),
            "tasks wait for each other by their dependences, so that few run at a time",
            "depend on the part of the data that the task uses, or use mutexinoutset or a reduction",
        )
    } else if share(|site| site.alone) >= 25 {
        (
            Cause::TaskwaitMisplaced,
            sites.iter().max_by_key(|site| site.alone).map_or(main.site(), |site| site.taskwait),
            "tasks are waited for as soon as they are created, so that the creating thread has nothing to do meanwhile",
            "one taskwait after all tasks are created, or after the creating task has done its own part",
        )
    } else if !fine && let Some(taskwait) = waited_in_batches(&sites, created, region.max_threads) {
        (
            Cause::TaskwaitMisplaced,
            taskwait,
            "the creating thread waits for its tasks after every few of them, so that threads have none meanwhile",
            "one taskwait after all tasks are created, or dependences (depend) between those that need it",
        )
    } else if fine {
        (
            Cause::TasksTooFine,
            main.site(),
            "the tasks are shorter than their creation",
            "a cutoff: final, if, or plain recursion below a size; several items for each task",
        )
    } else if let (Some(group), true) = (in_group, for_group > lost / 3) {
        (
            Cause::Taskgroup,
            group,
            "threads wait at the end of each taskgroup while its last tasks run",
            "one taskgroup around more tasks, or none if what follows needs no result of its tasks",
        )
    } else {
        (
            Cause::TooFewTasks,
            main.site(),
            "threads wait while the last tasks run: there are too few tasks, or a long one comes last",
            "more and smaller tasks; create the longest ones first",
        )
    };
    let gain_ns = match cause {
        // Fewer tasks also save what their creation costs.
        Cause::TasksTooFine | Cause::TaskloopTooFine | Cause::OneProducer => {
            // A taskloop creates its tasks in the runtime.
            let code = if cause == Cause::TaskloopTooFine { work } else { region.work_ns };
            let useful = code.saturating_sub(created.saturating_mul(CREATION_NS)) / region.max_threads;
            region.total_ns.saturating_sub(useful)
        }
        _ => lost / region.max_threads,
    };
    // Every set of tasks has an end, where some threads have none left; and dependences keep some waiting.
    let least = match cause {
        Cause::TooFewTasks if share(|site| site.blocked) >= 30 => return true,
        // The members wait for something else.
        Cause::TooFewTasks if for_tasks < waited / 2 => return false,
        Cause::TooFewTasks => 12,
        Cause::TaskwaitMisplaced if share(|site| site.alone) < 25 => 12,
        Cause::Taskgroup => 8,
        _ => 0,
    };
    if percent(lost, region.thread_ns) < least {
        return true;
    }
    found.push(Finding {
        cause,
        site,
        region: region.site(),
        sentence: sentence.to_owned(),
        evidence: vec![
            format!("{created} tasks of {} each", duration(mean)),
            format!("{} % of the threads' time is work", percent(region.work_ns, region.thread_ns)),
        ],
        advice,
        gain_ns,
        confidence: Confidence::Likely,
        line: None,
        change: None,
    });
    true
}

/// The taskwait construct at which implicit tasks wait for nearly all of a region's tasks, if they do so after at most
/// two tasks for each thread.
fn waited_in_batches(sites: &[&TaskSite], created: u64, threads: u64) -> Option<Site> {
    let batches = total(sites.iter().map(|site| site.batches));
    let of_batches = total(sites.iter().map(|site| site.in_batches));
    let few = of_batches <= batches.saturating_mul(2 * threads);
    let most = sites.iter().max_by_key(|site| site.batches)?;
    (batches >= LEAST_BATCHES && few && percent(of_batches, created) >= 80).then_some(most.taskwait)
}
