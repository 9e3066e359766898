# docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" wireproof check --host=./myhost --compat-report=report.json
# A subject that needs more than is here starts FROM this image and adds it.
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY conformance conformance
COPY reference reference
COPY vectors vectors
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir /wheels/*.whl
# Any user may run it (--user): the one who owns the folder that is mounted.
ENV HOME=/tmp
USER 10001
WORKDIR /work
ENTRYPOINT ["wireproof"]
CMD ["--help"]
