# The server with its web page, run by an unprivileged user. Build: `docker build -t qipai .`
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
RUN make dist

FROM python:3.12-slim
# Profile-guided optimisation makes the server's own part of a move about a tenth cheaper (docs/performance.md). The
# official images have it. Another base image may not, and nobody would notice: so the build stops there.
RUN python -c "import sys, sysconfig; '--enable-optimizations' in (sysconfig.get_config_var('CONFIG_ARGS') or '') or sys.exit('this Python was built without --enable-optimizations')"
COPY --from=build /build/dist /build/requirements /install/
# Install the versions that the project pins, and only what the server needs.
RUN pip install --no-cache-dir --disable-pip-version-check --constraint /install/dev.txt \
        "$(echo /install/qipai-*.whl)[cluster,archive,openid]" \
    && rm -r /install \
    && useradd --system --uid 10001 --home-dir /data --create-home qipai
USER qipai
ENV HOST=0.0.0.0 PORT=3000 QIPAI_DATA=/data PYTHONUNBUFFERED=1
VOLUME /data
EXPOSE 3000
# Checks that the process is alive, not that it is ready: restarting a worker does not repair Redis.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/health', timeout=2)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["qipai"]
CMD ["serve"]
