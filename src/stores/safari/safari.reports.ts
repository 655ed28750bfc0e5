import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { asNumber, asText, type HttpClient } from '../../common/net/index.js';
import { StoreFailure } from '../failures/index.js';
import type { FigureRange, StoreFigure } from '../figures.js';
import { callStore } from '../store-http.js';
import { link } from './safari.api.js';
import type { SafariCredentials } from './safari.credentials.js';
import type { Page, Resource } from './safari.documents.js';
import { isConflict } from './safari.errors.js';
import { countIn, figuresFrom, INSTALLS_REPORT, type Counts, type ReportInstance } from './safari.figures.js';

/** Instances are kept for 35 days (src/stores/README.md#safari-figures). */
const MOST_INSTANCES = 35;
const MAX_PART_BYTES = 16 * 1024 * 1024;
const MAX_UNPACKED_BYTES = 8 * MAX_PART_BYTES;
const FORBIDDEN = 403;

/** The calls of the API that reports need. */
interface ReportApi {
  pages(credentials: SafariCredentials, path: string): Promise<Page>;
  call(
    credentials: SafariCredentials,
    call: { readonly method: 'POST'; readonly path: string; readonly body: object },
  ): Promise<unknown>;
}

/** Reads Apple's analytics reports of an app (src/stores/README.md#safari-figures). */
export class SafariReports {
  constructor(
    private readonly api: ReportApi,
    private readonly http: HttpClient,
  ) {}

  /**
   * Installs and uninstalls of the days that Apple has reported on since a day; none before its first report.
   * @throws StoreFailure
   */
  async installs(
    credentials: SafariCredentials,
    appId: string,
    range: Pick<FigureRange, 'from'>,
  ): Promise<readonly StoreFigure[]> {
    return this.read(credentials, appId, range).catch((error: unknown) => {
      throw explained(error);
    });
  }

  private async read(
    credentials: SafariCredentials,
    appId: string,
    { from }: Pick<FigureRange, 'from'>,
  ): Promise<readonly StoreFigure[]> {
    const request = await this.requestOf(credentials, appId);
    if (request === undefined) return [];
    const list = (path: string): Promise<readonly Resource[]> =>
      this.api.pages(credentials, path).then(({ data }) => data);
    const name = encodeURIComponent(INSTALLS_REPORT);
    const reports = await list(
      `/v1/analyticsReportRequests/${encodeURIComponent(request)}/reports?filter[name]=${name}`,
    );
    const report = reports.find(({ attributes }) => attributes['name'] === INSTALLS_REPORT);
    if (report === undefined) return [];
    const path = `/v1/analyticsReports/${encodeURIComponent(report.id)}/instances?filter[granularity]=DAILY&limit=200`;
    const instances = (await list(path))
      .map(({ id, attributes }) => ({ id, processedOn: asText(attributes['processingDate']) ?? '' }))
      .filter(({ processedOn }) => processedOn >= from)
      .sort((one, other) => (one.processedOn < other.processedOn ? 1 : -1))
      .slice(0, MOST_INSTANCES);
    const found: ReportInstance[] = [];
    for (const { id, processedOn } of instances) {
      const days = new Map<string, Counts>();
      // Their addresses expire within minutes, so each is fetched as soon as it is known; counted at once, none stays in memory.
      for (const segment of await list(`/v1/analyticsReportInstances/${encodeURIComponent(id)}/segments?limit=200`))
        countIn(await this.download(segment), days);
      found.push({ processedOn, days });
    }
    return figuresFrom(found);
  }

  /** The app's standing request for reports; undefined when it has just been made, since the first report takes days. */
  private async requestOf(credentials: SafariCredentials, appId: string): Promise<string | undefined> {
    const path = `/v1/apps/${encodeURIComponent(appId)}/analyticsReportRequests?filter[accessType]=ONGOING`;
    const { data } = await this.api.pages(credentials, path);
    const standing = data.find(({ attributes }) => attributes['stoppedDueToInactivity'] !== true);
    if (standing !== undefined) return standing.id;
    const relationships = { app: link('apps', appId) };
    const document = { type: 'analyticsReportRequests', attributes: { accessType: 'ONGOING' }, relationships };
    await this.api
      .call(credentials, { method: 'POST', path: '/v1/analyticsReportRequests', body: { data: document } })
      .catch((error: unknown) => {
        // Another attempt, whose answer was lost, has made it.
        if (!isConflict(error)) throw error;
      });
    return undefined;
  }

  private async download({ attributes }: Resource): Promise<string> {
    const url = asText(attributes['url']) ?? '';
    const answer = await callStore('App Store Connect', () =>
      this.http.request({ method: 'GET', url, maxBodyBytes: MAX_PART_BYTES }),
    );
    if (answer.status !== 200)
      throw new StoreFailure('retry', `A report of Apple could not be fetched: its address answered ${answer.status}.`);
    const { bytes } = answer;
    const [checksum, size] = [asText(attributes['checksum']), asNumber(attributes['sizeInBytes'])];
    const isWhole =
      (size === undefined || size === bytes.length) &&
      (checksum === undefined || checksum === createHash('md5').update(bytes).digest('hex'));
    if (!isWhole) throw new StoreFailure('retry', 'A report of Apple arrived damaged: its digest does not fit.');
    const text = await promisify(gunzip)(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }).catch((cause: unknown) => {
      throw new StoreFailure('retry', 'A report of Apple cannot be unpacked.', { cause });
    });
    return text.toString('utf8');
  }
}

/** Says which key is missing, where the one in use may not do what it asked for. */
function explained(error: unknown): unknown {
  if (!(error instanceof StoreFailure) || error.details.status !== FORBIDDEN) return error;
  const message =
    "Apple shows reports to keys with the role Admin, Sales and Reports, or Finance, and makes them once an Admin's key has asked for them. The credential's key may not.";
  return new StoreFailure('config', message, error.details);
}
