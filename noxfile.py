"""Developer sessions.  Run ``nox -l`` to list them, ``nox`` for the whole gate."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import nox

ROOT = Path(__file__).parent
PYPROJECT = nox.project.load_toml(ROOT / "pyproject.toml")
VECTORS = ROOT / "vectors" / "wireproof_vectors"
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
    """Write the tables in ``reports/`` anew."""
    install(session, "test")
    session.run("python", "-m", "tests.proof.write_reports", *session.posargs)


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
