"""Developer sessions.  Run ``nox -l`` to list them, ``nox`` for the whole gate."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import nox

ROOT = Path(__file__).parent
PYPROJECT = nox.project.load_toml(ROOT / "pyproject.toml")
VECTORS = ROOT / "vectors" / "wireproof_vectors"
NODE_HOST = "reference/hosts/node"
PARALLEL = ("-n", "auto", "--dist", "worksteal")
PYTHONS = nox.project.python_versions(PYPROJECT)

nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = [
    "lint",
    "typing",
    "tests",
    "tests_lowest",
    "tests_newest_pytest",
    "docs",
    "build",
]
# The interpreters are those of this machine; none is downloaded. Where pyenv has
# them, its own commands of these names only say so.
os.environ.setdefault("UV_PYTHON_DOWNLOADS", "never")
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
INTERPRETERS = [
    str(folder)
    for python in PYTHONS
    for folder in PYENV.glob(f"versions/{python}.*/bin")
]
os.environ["PATH"] = os.pathsep.join([*INTERPRETERS, os.environ["PATH"]])


def install(session: nox.Session, *groups: str) -> None:
    """Install dependency groups, and the project in editable mode."""
    wanted = nox.project.dependency_groups(PYPROJECT, *groups)
    session.install(*wanted, "-e", ".")


def install_groups(session: nox.Session, *groups: str) -> None:
    """Install dependency groups, and what the project itself needs."""
    wanted = nox.project.dependency_groups(PYPROJECT, *groups)
    session.install(*wanted, *PYPROJECT["project"]["dependencies"])


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the tests on each Python."""
    install(session, "test")
    session.run("pytest", *PARALLEL, *session.posargs)


@nox.session
def tests_lowest(session: nox.Session) -> None:
    """Run the tests with the lowest version allowed of each direct dependency."""
    lowest = [
        requirement.replace(">=", "==")
        for requirement in PYPROJECT["project"]["dependencies"]
    ]
    session.install(
        *nox.project.dependency_groups(PYPROJECT, "test"), *lowest, "-e", "."
    )
    session.run("pytest", *PARALLEL, *session.posargs)


@nox.session
def tests_newest_pytest(session: nox.Session) -> None:
    """Run the tests with the newest pytest, pre-releases included."""
    install(session, "test")
    session.install("--upgrade", "--pre", "pytest")
    session.run("pytest", *PARALLEL, *session.posargs)


@nox.session
def sweep(session: nox.Session) -> None:
    """Run the whole suite on every subject: hours of one core, before a release."""
    install(session, "test")
    session.run("pytest", *PARALLEL, "-m", "sweep", *session.posargs)


@nox.session
def portable(session: nox.Session) -> None:
    """Run the tests without what Linux alone tells of processes and sockets."""
    install(session, "test")
    session.run("pytest", *PARALLEL, *session.posargs, env={"WIREPROOF_PORTABLE": "1"})


@nox.session
def coverage(session: nox.Session) -> None:
    """Measure which lines the tests reach, subprocesses included."""
    install(session, "test")
    session.run("coverage", "erase")
    session.run("coverage", "run", "-m", "pytest", *session.posargs)
    session.run("coverage", "combine", "-q")
    session.run("coverage", "report")


@nox.session
def lint(session: nox.Session) -> None:
    """Check formatting, style and layering."""
    install(session, "lint")
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")
    session.run("lint-imports")


@nox.session
def typing(session: nox.Session) -> None:
    """Check types with mypy and pyright."""
    install(session, "typing")
    session.run("mypy")
    session.run("pyright")


@nox.session
def bench(session: nox.Session) -> None:
    """Print how long things take beside the bare thing, as ratios of one run."""
    install(session, "test")
    session.run("python", "tests/bench.py", *session.posargs)


@nox.session
def durations(session: nox.Session) -> None:
    """Write anew how long the slow checks take, by which ``--shard`` splits a run."""
    install(session, "test")
    session.run("python", "-m", "tests.write_durations", *session.posargs)


@nox.session
def reports(session: nox.Session) -> None:
    """Write ``reports/`` anew, and the page that joins them: hours of one core."""
    install(session, "test")
    session.run("python", "-m", "tests.proof.write_reports", *session.posargs)


@nox.session
def versions(session: nox.Session) -> None:
    """Run two versions of a host on two of the suite; merge and compare the reports.

    As an author does whose host has users: ``-- SUITE HOST`` are the older revisions;
    the newest tag, or the last commit, and the host before its last change.
    """
    install_groups(session, "test", "build")
    tags = git(session, "tag", "--sort=-version:refname").split()
    changed = git(session, "log", "-1", "--format=%h", "--", NODE_HOST)
    defaults = [(tags or ["HEAD"])[0], f"{changed}^"]
    suite, host = [*session.posargs, *defaults[len(session.posargs) :]]
    dist = ROOT / "dist"
    dist.mkdir(exist_ok=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        suites = {suite: checked_out(session, suite, folder / "suite"), "now": ROOT}
        before = checked_out(session, host, folder / "host", NODE_HOST)
        # Outside of the repository no settings of its tests take part.
        now = Path(copytree(ROOT / NODE_HOST, folder / "now"))
        hosts = {host: before / NODE_HOST, "now": now}
        found: dict[tuple[str, str], Path] = {}
        for number, (version, source) in enumerate(suites.items()):
            wheels = folder / f"wheel-{number}"
            session.run("python", "-m", "build", "-w", "-o", str(wheels), str(source))
            (wheel,) = wheels.glob("*.whl")
            session.install("--force-reinstall", "--no-deps", str(wheel))
            for place, (program, where) in enumerate(hosts.items()):
                report = folder / f"{number}-{place}.json"
                with session.chdir(where):
                    session.run(
                        *("pytest", "--host=node host.mjs", "--fuzz=0", "-q"),
                        *("-p", "no:cacheprovider", f"--compat-report={report}"),
                        # A version may break what another keeps.
                        success_codes=[0, 1],
                    )
                found[version, program] = report
        session.chdir(folder)
        session.run(
            *("wireproof", "report", "merge", "-o", str(dist / "versions.html")),
            *(
                f"suite {version}, host {program}={report.name}"
                for (version, program), report in found.items()
            ),
        )
        session.log(f"what became of the host since {host}:")
        compare(session, found["now", host], found["now", "now"])
        session.log(f"what the suite says now and did not at {suite}:")
        compare(session, found[suite, "now"], found["now", "now"])


def compare(session: nox.Session, before: Path, after: Path) -> None:
    """Show what two reports differ in; a regression is told, and ends nothing."""
    command = ("wireproof", "report", "diff", before.name, after.name)
    session.run(*command, success_codes=[0, 1])


def git(session: nox.Session, *arguments: str) -> str:
    """Run git in the repository, and return what it says."""
    told = session.run("git", "-C", str(ROOT), *arguments, external=True, silent=True)
    return str(told).strip()


def checked_out(session: nox.Session, revision: str, folder: Path, *paths: str) -> Path:
    """Unpack a revision, or paths of it, into a new folder, and return it."""
    archive = folder.with_suffix(".tar")
    git(session, "archive", f"--output={archive}", revision, "--", *paths)
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return folder


@nox.session
def mutants(session: nox.Session) -> None:
    """Change our own subjects operator by operator: each change has to be caught."""
    install(session, "test", "mutants")
    session.run("python", "-m", "tests.mutants.write_report", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation strictly: every link leads somewhere."""
    install(session, "docs")
    with TemporaryDirectory() as folder:
        session.run("python", "-m", "docs.site", folder)
        configuration = f"{folder}/mkdocs.yml"
        site = str(ROOT / "dist" / "site")
        session.run("mkdocs", "build", "--strict", "-f", configuration, "-d", site)


@nox.session
def build(session: nox.Session) -> None:
    """Build both distributions, look inside them, and use the wheel."""
    session.install(*nox.project.dependency_groups(PYPROJECT, "build"))
    with TemporaryDirectory() as folder:
        wheel = build_into(session, folder)
        session.install(str(wheel))
        session.chdir(folder)
        session.run("pytest", "--host=reference", "-q", "--compat-report=report.html")


@nox.session
def release(session: nox.Session) -> None:
    """Write into ``dist/`` what a publication needs: distributions, notes, hashes."""
    session.install(*nox.project.dependency_groups(PYPROJECT, "build"), "-e", ".")
    dist = ROOT / "dist"
    rmtree(dist, ignore_errors=True)
    build_into(session, str(dist))
    session.run("python", "-m", "tests.release", str(dist))


def build_into(session: nox.Session, folder: str) -> Path:
    """Build both distributions, look inside them, and return the wheel."""
    data = {path.relative_to(VECTORS) for path in VECTORS.rglob("*.json")}
    session.run("python", "-m", "build", "--outdir", folder, ".")
    (sdist,), (wheel,) = Path(folder).glob("*.tar.gz"), Path(folder).glob("*.whl")
    session.run("twine", "check", "--strict", str(sdist), str(wheel))
    session.run("check-wheel-contents", str(wheel))
    with tarfile.open(sdist) as archive:
        in_sdist = {Path(*Path(name).parts[3:]) for name in archive.getnames()}
    with ZipFile(wheel) as archive:
        names = [Path(name) for name in archive.namelist()]
    in_wheel = {Path(*name.parts[1:]) for name in names}
    if missing := (data - in_sdist) | (data - in_wheel):
        session.error(f"not shipped: {sorted(map(str, missing))}")
    top = {name.parts[0] for name in names}
    allowed = {"wireproof", "wireproof_reference", "wireproof_vectors"}
    if extra := {name for name in top - allowed if not name.endswith(".dist-info")}:
        session.error(f"the wheel installs what it should not: {sorted(extra)}")
    return wheel
