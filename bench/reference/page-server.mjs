// The least that a page of the console takes: bare node:http, a pool of pg, and one prepared statement for the same rows; `licenses` newest
// first, or `overview` of a page of extensions at all their stores. Its arguments: which, the database's URL, and the tenant's id.
import http from 'node:http';
import pg from 'pg';

const [page, connectionString, tenantId] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });

const PAGES = {
  licenses: `select license.id, license.plan_id, license.extension_id, plan.tier, license.buyer_email, license.code_hint, license.revoked_at,
                    license.suspended_for, license.expires_at, license.max_activations, license.source, license.delivery, license.created_at,
                    license.updated_at
               from license join plan on plan.id = license.plan_id
              where license.tenant_id = $1 order by license.id desc limit 50`,
  overview: `select extension.id, extension.name, target.store, target.channel, status.phase, status.phase_since, status.live_version,
                    status.submitted_version, status.desired_version, target.paused
               from (select * from extension where tenant_id = $1 order by id desc limit 100) extension
               join target on target.extension_id = extension.id
               join target_status status on status.target_id = target.id
              order by extension.id desc, target.id`,
};

const server = http.createServer((_request, response) => {
  void pool
    .query({ name: page, text: PAGES[page], values: [tenantId] })
    .then(({ rows }) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items: rows })),
    );
});

// Ends with the benchmark even when that is killed.
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
