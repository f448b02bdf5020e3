#!/usr/bin/env python3
"""Runs bench_adolc and bench_reference alternately and sets their figures side by side.

Every measurement is a process of its own. A round runs each executable once for all figures and twice more
for the first use in a process only. A ratio is formed within a round, between runs that follow each other,
and the median over the rounds is printed: what slows the machine for a while then hits both sides alike.

With --higher-order the same is done for Taylor sweeps and second derivatives, with workloads and sizes of
their own; there a round runs each executable once.

Exit status: 0, or 1 when the two libraries disagree on a value or derivative, or 2 when --strict is given and
a target is missed.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

OURS = "adolc"
REFERENCE = "reference"
DEFAULT_BUFFERS = "reference, default buffers"

# Key in the executables' output (without "_seconds"), heading.
TIMES = [
    ("cold_record", "cold record"),
    ("cold_record_reverse", "cold rec+rev"),
    ("record", "record"),
    ("record_keep", "record keep"),
    ("reverse", "reverse"),
    ("replay", "replay"),
    ("forward_keep", "forward keep"),
    ("gradient", "gradient"),
    ("fos_forward", "fos_forward"),
    ("fov_forward8", "fov_forward 8"),
    ("fov_reverse8", "fov_reverse 8"),
]
COLD = ("cold_record", "cold_record_reverse")

# Geometric means to reach: at least, for reference / ours; at most, for ours / reference and for 8 lanes.
FASTER_TARGETS = {
    "cold_record_reverse": 3.0,
    "record": 4.0,
    "record_keep": 4.0,
    "reverse": 2.2,
    "replay": 2.0,
    "gradient": 2.0,
}
BYTES_TARGET = 0.6
LANE_TARGETS = {"fov_forward8": 2.0, "fov_reverse8": 2.5}
SCALAR_SWEEP = {"fov_forward8": "fos_forward", "fov_reverse8": "reverse"}

# The same for --higher-order. A tuple of keys is the geometric mean of their ratios.
DEGREES = (5, 10, 20)
FORWARD = tuple(f"hos_forward{degree}" for degree in DEGREES)
REVERSE = tuple(f"hos_reverse{degree}" for degree in DEGREES)
SECOND = ("hess_vec", "hessian")
HIGHER_FASTER_TARGETS = {FORWARD: 1.5, REVERSE: 2.0, ("hess_vec",): 3.0, ("hessian",): 3.0}
HIGHER_PLAIN_WORKLOAD = "helmholtz"  # where these are to be at most so many times the plain evaluation
HIGHER_PLAIN_TARGETS = {"hess_vec": 10.0, "hessian": 600.0}

CHECKED_TO = 1e-9


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dir", type=pathlib.Path, default=pathlib.Path("."),
                        help="where the executables are")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=5, help="samples per figure and process")
    parser.add_argument("--only", action="append", metavar="WORKLOAD", help="may be given several times")
    parser.add_argument("--higher-order", action="store_true",
                        help="Taylor sweeps and second derivatives in place of the other figures")
    parser.add_argument("--cpu-time", action="store_true",
                        help="times of the processes alone, for a machine that others use")
    parser.add_argument("--ours-only", action="store_true", help="leave the reference out")
    parser.add_argument("--with-default-buffers", action="store_true",
                        help="measure the reference also with its default buffers, which spill to files")
    parser.add_argument("--markdown", action="store_true", help="tables for a document")
    parser.add_argument("--strict", action="store_true", help="exit status 2 when a target is missed")
    arguments = parser.parse_args()
    if arguments.rounds < 1 or arguments.repeat < 1:
        parser.error("--rounds and --repeat must be positive")
    return arguments


def find_variants(arguments):
    """Command line of each variant that can run, in the order of a round."""
    directory = arguments.dir.resolve()
    ours, reference = directory / "bench_adolc", directory / "bench_reference"
    variants = {}
    if reference.exists() and not arguments.ours_only:
        variants[REFERENCE] = [str(reference)]
        if arguments.with_default_buffers:
            variants[DEFAULT_BUFFERS] = [str(reference), "--default-buffers"]
    if ours.exists():
        variants[OURS] = [str(ours)]
    for given, option in ((arguments.higher_order, "--higher-order"), (arguments.cpu_time, "--cpu-time")):
        if given:
            for command in variants.values():
                command.append(option)
    if not variants:
        sys.exit(f"neither bench_adolc nor bench_reference can be run from {directory}")
    return variants


def find_workloads(variants, only):
    command = next(iter(variants.values()))
    listing = subprocess.run(command + ["--list"], check=True, capture_output=True, text=True).stdout
    names = [line.split()[0] for line in listing.splitlines()]
    unknown = set(only or []) - set(names)
    if unknown:
        sys.exit(f"unknown workload {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    return [name for name in names if not only or name in only]


def run_once(command, workload, *options):
    # A directory of its own: the reference leaves tape files behind and reads .adolcrc.
    with tempfile.TemporaryDirectory() as directory:
        process = subprocess.run(command + ["--workload", workload, "--json", *options],
                                 cwd=directory, capture_output=True, text=True)
    if process.returncode != 0:
        sys.exit(f"\n{' '.join(process.args)} failed ({process.returncode}):\n{process.stderr}")
    return json.loads(process.stdout)


def run_round(variants, workload, repeat):
    """One result per variant, with the median of its cold figures."""
    results = {name: run_once(command, workload, "--repeat", str(repeat))
               for name, command in variants.items()}
    cold = {name: [result] for name, result in results.items()}
    for _ in range(2):
        for name, command in variants.items():
            cold[name].append(run_once(command, workload, "--cold"))
    for name, result in results.items():
        for key in COLD:
            result[key + "_seconds"] = statistics.median(r[key + "_seconds"] for r in cold[name])
    return results


def verify(workload, results):
    """Compares the checksums of all variants with those of the first."""
    (first_name, first), *others = results.items()
    for name, result in others:
        for point in ("recorded", "replayed"):
            for key, scale in (("value", "value"), ("gradient_sum", "gradient_norm"),
                               ("gradient_norm", "gradient_norm")):
                expected, actual = first[f"{point}_{key}"], result[f"{point}_{key}"]
                if not abs(actual - expected) <= CHECKED_TO * abs(first[f"{point}_{scale}"]):
                    sys.exit(f"\nWRONG RESULT: {workload}, {point} {key}: "
                             f"{expected!r} ({first_name}), {actual!r} ({name})")


def verify_higher_order(workload, results):
    """The same for what the executables tell of the derivatives of higher order."""
    (first_name, first), *others = results.items()
    for name, result in others:
        for key in FORWARD + REVERSE + SECOND:
            pairs = zip(first[key + "_numbers"], result[key + "_numbers"], first[key + "_scales"], strict=True)
            for k, (expected, actual, scale) in enumerate(pairs):
                if not abs(actual - expected) <= CHECKED_TO * scale:
                    sys.exit(f"\nWRONG RESULT: {workload}, {key}, number {k}: "
                             f"{expected!r} ({first_name}), {actual!r} ({name})")


def show_progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def measure(arguments, variants, workloads):
    """Workload -> list of rounds, each a dictionary from variant to result."""
    rounds = {workload: [] for workload in workloads}
    for number in range(1, arguments.rounds + 1):
        for workload in workloads:
            show_progress(f"round {number} of {arguments.rounds}: {workload}")
            if arguments.higher_order:
                results = {name: run_once(command, workload, "--repeat", str(arguments.repeat))
                           for name, command in variants.items()}
                verify_higher_order(workload, results)
            else:
                results = run_round(variants, workload, arguments.repeat)
                verify(workload, results)
            rounds[workload].append(results)
    show_progress("")
    return rounds


def seconds(result, key):
    return result[key + "_seconds"]


def bytes_in_use(result):
    return result["tape_bytes"] + result["taylor_bytes"]


def resident_growth(result):
    return result["cold_resident_bytes"]


def median_of(rounds, figure):
    return statistics.median(figure(results) for results in rounds)


def geometric_mean(ratios):
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios)) if ratios else math.nan


def print_table(title, heading, rows, markdown):
    """Rows of ready-made cells; the first column is a name, the others are numbers."""
    table = [heading] + rows
    widths = [max(len(row[column]) for row in table) for column in range(len(heading))]

    def line(row):
        cells = [row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]
        return "| " + " | ".join(cells) + " |" if markdown else "  ".join(cells)

    print(f"\n**{title}**\n" if markdown else f"\n{title}")
    print(line(heading))
    if markdown:
        print("|" + "|".join(["---"] + ["---:"] * (len(heading) - 1)) + "|")
    else:
        print("-" * len(line(heading)))
    for row in rows:
        print(line(row))


class Report:
    def __init__(self, rounds, markdown):
        self.rounds = rounds
        self.markdown = markdown
        self.missed = []

    def table(self, title, heading, rows):
        print_table(title, heading, rows, self.markdown)

    def judge(self, title, mean, target, at_least):
        """The two cells below a geometric mean: the target and whether it is met."""
        if target is None or math.isnan(mean):
            return "", ""
        met = mean >= target if at_least else mean <= target
        wanted = f"{'>=' if at_least else '<='} {target:g}"
        if not met:
            self.missed.append(f"{title} {mean:.2f} (wanted {wanted})")
        return wanted, "yes" if met else "NO"

    def ratios(self, reference):
        """reference / ours for times, ours / reference for memory."""
        columns = [(heading, FASTER_TARGETS.get(key), True,
                    lambda r, key=key: seconds(r[reference], key) / seconds(r[OURS], key))
                   for key, heading in TIMES]
        columns.append(("bytes", BYTES_TARGET, False,
                        lambda r: bytes_in_use(r[OURS]) / bytes_in_use(r[reference])))
        columns.append(("resident", None, False,
                        lambda r: resident_growth(r[OURS]) / max(1, resident_growth(r[reference]))))
        rows, cells = [], []
        for workload, rounds in self.rounds.items():
            cells.append([median_of(rounds, figure) for *_, figure in columns])
            rows.append([workload] + [f"{cell:.2f}" for cell in cells[-1]])
        means = [geometric_mean([cell for cell in column if cell > 0]) for column in zip(*cells)]
        rows.append(["geometric mean"] + [f"{mean:.2f}" for mean in means])
        targets, verdicts = zip(*(self.judge(f"{heading} against {reference}", mean, target, at_least)
                                  for (heading, target, at_least, _), mean in zip(columns, means)))
        rows += [["target", *targets], ["met", *verdicts]]
        self.table(f"{reference} / {OURS} for times, {OURS} / {reference} for bytes and resident memory",
                   ["workload"] + [heading for heading, *_ in columns], rows)

    def lanes(self, variant):
        rows, fitting = [], {key: [] for key in SCALAR_SWEEP}
        for workload, rounds in self.rounds.items():
            fits = rounds[0][variant]["fits_l2"]
            row = [workload, "yes" if fits else "no"]
            for key, scalar in SCALAR_SWEEP.items():
                ratio = median_of(rounds, lambda r: seconds(r[variant], key) / seconds(r[variant], scalar))
                row.append(f"{ratio:.2f}")
                if fits:
                    fitting[key].append(ratio)
            rows.append(row)
        means = {key: geometric_mean(ratios) for key, ratios in fitting.items()}
        rows.append(["geometric mean", "yes"] + [f"{mean:.2f}" for mean in means.values()])
        if variant == OURS:
            targets, verdicts = zip(*(self.judge(f"{key} against one lane", mean, LANE_TARGETS[key], False)
                                      for key, mean in means.items()))
            rows += [["target", "", *targets], ["met", "", *verdicts]]
        self.table(f"{variant}: 8 lanes / scalar sweep", ["workload", "fits L2"] + list(SCALAR_SWEEP), rows)

    def figures(self, variant):
        times = [("plain", "plain")] + TIMES
        milliseconds, per_operation, memory, against_plain = [], [], [], []
        for workload, rounds in self.rounds.items():
            result = rounds[0][variant]
            operations = result["operations"]
            median = {key: median_of(rounds, lambda r, key=key: seconds(r[variant], key))
                      for key, _ in times}
            milliseconds.append([workload] + [f"{1e3 * median[key]:.4g}" for key, _ in times])
            per_operation.append([workload] + [f"{1e9 * median[key] / operations:.2f}" for key, _ in times])
            against_plain.append([workload] + [f"{value / median['plain']:.1f}" for value in (
                median["cold_record_reverse"], median["record_keep"] + median["reverse"], median["record"],
                median["reverse"], median["replay"], median["gradient"])])
            resident = median_of(rounds, lambda r: resident_growth(r[variant]))
            memory.append([workload, str(result["independents"]), str(operations), str(result["max_lives"]),
                           f"{result['tape_bytes'] / 1e6:.3f}", f"{result['taylor_bytes'] / 1e6:.3f}",
                           f"{bytes_in_use(result) / operations:.1f}", f"{resident / 1e6:.2f}",
                           "yes" if result["on_disk"] else "no"])
        headings = ["workload"] + [heading for _, heading in times]
        self.table(f"{variant}: milliseconds", headings, milliseconds)
        self.table(f"{variant}: nanoseconds per recorded operation", headings, per_operation)
        self.table(f"{variant}: times the plain evaluation",
                   ["workload", "cold rec+rev", "rec+rev", "record", "reverse", "replay", "gradient"],
                   against_plain)
        self.table(f"{variant}: memory (MB: 10^6 bytes)",
                   ["workload", "independents", "operations", "lives", "tape MB", "Taylor MB", "bytes/op",
                    "resident MB", "spills"], memory)


class HigherOrderReport(Report):
    def ratios(self, reference):
        """reference / ours: a column per figure, and one for all degrees of a sweep together."""
        columns = [(key,) for key in FORWARD] + [FORWARD] + [(key,) for key in REVERSE] + [REVERSE]
        columns += [(key,) for key in SECOND]
        rows, cells = [], []
        for workload, rounds in self.rounds.items():
            ratio = {key: median_of(rounds, lambda r, key=key: seconds(r[reference], key) / seconds(r[OURS], key))
                     for key in FORWARD + REVERSE + SECOND}
            cells.append([geometric_mean([ratio[key] for key in column]) for column in columns])
            rows.append([workload] + [f"{cell:.2f}" for cell in cells[-1]])
        means = [geometric_mean(column) for column in zip(*cells)]
        rows.append(["geometric mean"] + [f"{mean:.2f}" for mean in means])
        headings = [higher_order_heading(column) for column in columns]
        targets, verdicts = zip(*(self.judge(f"{heading} against {reference}", mean,
                                             HIGHER_FASTER_TARGETS.get(column), True)
                                  for heading, column, mean in zip(headings, columns, means)))
        rows += [["target", *targets], ["met", *verdicts]]
        self.table(f"{reference} / {OURS}", ["workload"] + headings, rows)

    def against_plain(self, variant):
        keys = FORWARD + REVERSE + SECOND
        rows, judged = [], None
        for workload, rounds in self.rounds.items():
            times = {key: median_of(rounds, lambda r, key=key: seconds(r[variant], key) / seconds(r[variant], "plain"))
                     for key in keys}
            rows.append([workload] + [f"{times[key]:.1f}" for key in keys])
            if workload == HIGHER_PLAIN_WORKLOAD and variant == OURS:
                judged = times
        if judged:
            targets, verdicts = zip(*(self.judge(f"{key} of {HIGHER_PLAIN_WORKLOAD} / plain", judged[key],
                                                 HIGHER_PLAIN_TARGETS.get(key), False) for key in keys))
            rows += [[f"target ({HIGHER_PLAIN_WORKLOAD})", *targets], ["met", *verdicts]]
        self.table(f"{variant}: times the plain evaluation",
                   ["workload"] + [higher_order_heading((key,)) for key in keys], rows)

    def figures(self, variant):
        keys = FORWARD + REVERSE + SECOND
        microseconds, per_coefficient, memory = [], [], []
        for workload, rounds in self.rounds.items():
            result = rounds[0][variant]
            operations = result["operations"]
            median = {key: median_of(rounds, lambda r, key=key: seconds(r[variant], key))
                      for key in ("plain",) + keys}
            microseconds.append([workload] + [f"{1e6 * value:.4g}" for value in median.values()])
            per_coefficient.append([workload] + [
                f"{1e9 * median[key] / (operations * coefficients):.2f}"
                for sweep in (FORWARD, REVERSE)
                for key, coefficients in zip(sweep, (degree + 1 for degree in DEGREES))])
            kept = 8 * result["taylors"]  # per coefficient
            moved = result["tape_bytes"] + kept * (DEGREES[-1] + 1)
            memory.append([workload, str(result["independents"]), str(operations), str(result["max_lives"]),
                           f"{result['tape_bytes'] / operations:.1f}", f"{kept / operations:.2f}",
                           f"{moved / 1e6:.2f}", f"{moved / median[REVERSE[-1]] / 1e9:.1f}",
                           "yes" if result["on_disk"] else "no"])
        self.table(f"{variant}: microseconds",
                   ["workload", "plain"] + [higher_order_heading((key,)) for key in keys], microseconds)
        self.table(f"{variant}: nanoseconds per recorded operation and coefficient",
                   ["workload"] + [higher_order_heading((key,)) for key in FORWARD + REVERSE], per_coefficient)
        self.table(f"{variant}: memory; the last figures: tape and Taylor stack of degree {DEGREES[-1]}, and "
                   "how fast the reverse sweep reads them",
                   ["workload", "independents", "operations", "lives", "tape bytes/op",
                    "Taylor bytes/op and coefficient", "MB", "GB/s", "spills"], memory)


def higher_order_heading(keys):
    """hos_forward5 -> hos_forward 5; of all degrees together -> hos_forward."""
    name = keys[0].rstrip("0123456789")
    return name if len(keys) > 1 else f"{name} {keys[0][len(name):]}".rstrip()


def main():
    arguments = parse_arguments()
    variants = find_variants(arguments)
    workloads = find_workloads(variants, arguments.only)
    rounds = measure(arguments, variants, workloads)
    if arguments.higher_order:
        report = HigherOrderReport(rounds, arguments.markdown)
        tables = (report.against_plain, report.figures)
    else:
        report = Report(rounds, arguments.markdown)
        tables = (report.lanes, report.figures)
    if OURS in variants:
        for name in variants:
            if name != OURS:
                report.ratios(name)
    for table in tables:
        for name in variants:
            table(name)
    if report.missed:
        print("\nMissed: " + "; ".join(report.missed))
    return 2 if report.missed and arguments.strict else 0


if __name__ == "__main__":
    sys.exit(main())
