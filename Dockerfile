FROM node:24-bookworm-slim AS pack
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
COPY clients/action/package.json ./clients/action/
COPY clients/cli/package.json ./clients/cli/
COPY clients/licensing/package.json ./clients/licensing/
COPY console/package.json ./console/
COPY sandbox/package.json ./sandbox/
RUN npm ci
COPY . .
# Nothing in here knows it. Build with: --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT
RUN npm run pack

FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY --from=pack /app/pierhead-service-*.tgz /tmp/
# Deletes what only compilers and debuggers read.
RUN npm install --ignore-scripts --no-audit --no-fund /tmp/pierhead-service-*.tgz \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24-bookworm-slim
ARG COMMIT
LABEL org.opencontainers.image.title=Pierhead org.opencontainers.image.version=1.1.0 org.opencontainers.image.revision=$COMMIT
# With the default number of arenas and its growing thresholds, glibc keeps about 70 MB that the start has freed.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
ENV PATH=/app/node_modules/.bin:$PATH
WORKDIR /app
COPY --from=install /app ./
# Made before VOLUME, so that a new volume belongs to the user of the service.
RUN install -d -o node -g node -m 0700 /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["pierhead-service"]
