import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Answer, textAnswer } from '../answer.js';
import { type Check, fields, count, listOf, nullable, oneOf, required, text } from '../input.js';
import type { StoreRoute } from '../stand-in.js';
import { originOf, page, type Shape } from './documents.js';
import { conflict, forbidden, notFound } from './errors.js';
import type { Role } from './keys.js';
import { ACCESS_TYPES, type App, type InstallReport, type InstallRow, type ReportRequest } from './model.js';
import { attribute, readDocument, relationship } from './requests.js';
import type { SafariRouteBuilder } from './route-builder.js';

const MINUTE_MS = 60_000;
/** An address of a part works for so long (src/stores/README.md#safari-figures). */
const ADDRESS_MS = 5 * MINUTE_MS;
const NAME = 'App Store Installation and Deletion Standard';
const OTHER_NAME = 'App Store Installation and Deletion Detailed';
const MAY_READ: ReadonlySet<Role> = new Set(['ADMIN', 'SALES_AND_REPORTS', 'FINANCE']);

const row: Check<InstallRow> = (value, what) => {
  const from = fields(value, what, ['date', 'event', 'downloadType', 'counts']);
  return {
    date: required(from, 'date', text),
    event: required(from, 'event', text),
    downloadType: required(from, 'downloadType', text),
    counts: required(from, 'counts', count),
  };
};

/** Reads a report that a test has made. */
export const installReport: Check<InstallReport> = (value, what) => {
  const from = fields(value, what, ['processingDate', 'parts']);
  return {
    processingDate: required(from, 'processingDate', text),
    parts: required(from, 'parts', listOf(listOf(row))),
  };
};
/** What happens to the parts: nothing, or they arrive damaged. */
export const partDamage = nullable(oneOf(['cut', 'changed']));

const HEAD = [
  'Date',
  'App Name',
  'App Apple Identifier',
  'Event',
  'Download Type',
  'App Version',
  'Territory',
  'Counts',
];

const fileOf = (app: App, rows: readonly InstallRow[]): Buffer =>
  gzipSync(
    [
      HEAD,
      ...rows.map(({ date, event, downloadType, counts }) => [
        date,
        app.name,
        app.appId,
        event,
        downloadType,
        '1.0',
        'US',
        String(counts),
      ]),
    ]
      .map((cells) => cells.join('\t'))
      .join('\n'),
  );

const shape = (type: string, id: string, attributes: object): Shape => ({
  type,
  id,
  attributes: { ...attributes },
  related: {},
});

/** Analytics reports: requests, reports, instances and segments, whose ids name the app. */
export const reportRoutes = (builder: SafariRouteBuilder): StoreRoute[] => [
  ...requestRoutes(builder),
  ...listRoutes(builder),
  segmentRoute(builder),
  fileRoute(builder),
];

function instanceOf({ appId, installReports }: App, id: string): InstallReport {
  const found = installReports.find(({ processingDate }) => id === `${appId}.${processingDate}`);
  if (!found) throw notFound('analyticsReportInstances', id);
  return found;
}

function requestRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  const { world } = builder;
  const requestsOf = (app: App): ReportRequest[] =>
    [...world.reportRequests.values()].filter((one) => one.appId === app.appId);
  const shapeOf = ({ id, accessType }: ReportRequest): Shape =>
    shape('analyticsReportRequests', id, { accessType, stoppedDueToInactivity: false });
  return [
    builder.appRoute(
      'reportRequests',
      'GET',
      /^\/v1\/apps\/(?<id>[^/]+)\/analyticsReportRequests$/,
      'apps',
      (call, key) => {
        if (!MAY_READ.has(key.role)) throw forbidden();
        return page(call, {
          ...builder.listing(requestsOf(call.app).map(shapeOf)),
          filters: { accessType: ({ attributes }) => attributes['accessType'] },
        });
      },
    ),
    builder.route('requestReports', 'POST', /^\/v1\/analyticsReportRequests$/, (call, key) => {
      const sent = readDocument(call.body, 'analyticsReportRequests');
      const app = builder.appOf(key, relationship(sent, 'app'));
      return builder.countingWrites(app, () => {
        if (key.role !== 'ADMIN') throw forbidden();
        const accessType = attribute(sent, 'accessType', oneOf(ACCESS_TYPES));
        if (accessType === undefined) throw conflict('ENTITY_ERROR.ATTRIBUTE.REQUIRED', "'accessType' is required");
        if (requestsOf(app).some((one) => one.accessType === accessType))
          throw conflict('STATE_ERROR', 'You already have such a report request.');
        const request = { id: randomUUID(), appId: app.appId, accessType };
        world.reportRequests.set(request.id, request);
        return builder.resourceAnswer(call, shapeOf(request), 201);
      });
    }),
  ];
}

function listRoutes(builder: SafariRouteBuilder): StoreRoute[] {
  return [
    builder.appRoute(
      'reports',
      'GET',
      /^\/v1\/analyticsReportRequests\/(?<id>[^/]+)\/reports$/,
      'analyticsReportRequests',
      (call) =>
        page(call, {
          ...builder.listing(
            [OTHER_NAME, NAME].map((name) =>
              shape('analyticsReports', `${call.app.appId}.${name === NAME ? 'standard' : 'detailed'}`, {
                name,
                category: 'APP_USAGE',
              }),
            ),
          ),
          filters: {
            name: ({ attributes }) => attributes['name'],
            category: ({ attributes }) => attributes['category'],
          },
        }),
    ),
    builder.appRoute(
      'reportInstances',
      'GET',
      /^\/v1\/analyticsReports\/(?<id>[^/]+)\/instances$/,
      'analyticsReports',
      (call) =>
        page(call, {
          ...builder.listing(
            (call.id.endsWith('.standard') ? call.app.installReports : []).map(({ processingDate }) =>
              shape('analyticsReportInstances', `${call.app.appId}.${processingDate}`, {
                granularity: 'DAILY',
                processingDate,
              }),
            ),
          ),
          filters: {
            granularity: ({ attributes }) => attributes['granularity'],
            processingDate: ({ attributes }) => attributes['processingDate'],
          },
        }),
    ),
  ];
}

function segmentRoute(builder: SafariRouteBuilder): StoreRoute {
  return builder.appRoute(
    'reportSegments',
    'GET',
    /^\/v1\/analyticsReportInstances\/(?<id>[^/]+)\/segments$/,
    'analyticsReportInstances',
    (call) => {
      const expires = builder.now().getTime() + ADDRESS_MS;
      return page(
        call,
        builder.listing(
          instanceOf(call.app, call.id).parts.map((rows, at) => {
            const bytes = fileOf(call.app, rows);
            const url = `${originOf(call)}/asc-reports/${call.id}/${at}.csv.gz?X-Amz-Expires=${expires}&X-Amz-Signature=marked-signature`;
            const checksum = createHash('md5').update(bytes).digest('hex');
            return shape('analyticsReportSegments', `${call.id}.${at}`, { url, checksum, sizeInBytes: bytes.length });
          }),
        ),
      );
    },
  );
}

function fileRoute(builder: SafariRouteBuilder): StoreRoute {
  const { world } = builder;
  return {
    operation: 'reportFile',
    method: 'GET',
    path: /^\/asc-reports\/(?<appId>[^/.]+)\.(?<date>[^/]+)\/(?<at>\d+)\.csv\.gz$/,
    body: 'buffer',
    subject: ({ params }) => ({ itemId: params['appId'] }),
    handle: ({ url, headers, params }): Answer => {
      // The address is signed, and what is signed twice is refused.
      const refused = (why: string): Answer => textAnswer(403, 'application/xml', `<Error><Code>${why}</Code></Error>`);
      if (headers.authorization !== undefined) return refused('InvalidArgument');
      if (Number(url.searchParams.get('X-Amz-Expires')) < builder.now().getTime()) return refused('AccessDenied');
      const app = world.app(params['appId'] ?? '');
      const rows = app && instanceOf(app, `${app.appId}.${params['date']}`).parts[Number(params['at'])];
      if (!app || !rows) return refused('NoSuchKey');
      const bytes = fileOf(app, rows);
      const damaged = {
        cut: bytes.subarray(0, -4),
        changed: Buffer.concat([bytes.subarray(0, -1), Buffer.from([1])]),
      };
      const sent = app.partDamage === null ? bytes : damaged[app.partDamage];
      return { status: 200, headers: { 'Content-Type': 'application/x-gzip' }, body: '', bytes: sent };
    },
  };
}
