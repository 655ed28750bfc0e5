FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
# The sandbox and the code of the clients stay out of the image.
RUN npm ci --workspaces=false
COPY .swcrc nest-cli.json tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY scripts ./scripts
RUN npx nest build && node scripts/pack-cluster.mjs && npm run prune

FROM node:24-bookworm-slim AS console
WORKDIR /app
COPY .npmrc package.json package-lock.json openapi.json ./
COPY console/package.json ./console/
RUN npm ci --workspace @pierhead/console --include-workspace-root=false
COPY console ./console
# The pages without scripts share their colours.
COPY src/common/http/tokens.css ./src/common/http/
RUN npm run build --workspace @pierhead/console

FROM node:24-bookworm-slim AS client
WORKDIR /app
COPY .npmrc package.json package-lock.json openapi.json LICENSE ./
COPY clients/cli/package.json ./clients/cli/
RUN npm ci --workspace pierhead --include-workspace-root=false
COPY clients/cli ./clients/cli
RUN npm run build --workspace pierhead

FROM node:24-bookworm-slim
# With the default number of arenas and its growing thresholds, glibc keeps about 70 MB that the start has freed.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=console /app/console/dist ./console/dist
# The service reads its version from package.json, and serves the schema.
COPY package.json LICENSE ./
COPY clients/cli/schema ./clients/cli/schema
# The service gives its own command line client to those who ask.
COPY --from=client /app/clients/cli/dist/pierhead.tgz ./clients/cli/dist/
# Made before VOLUME, so that a new volume belongs to the user of the service.
RUN install -d -o node -g node -m 0700 /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
