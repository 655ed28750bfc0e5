import { asRecord, asText, type HttpClient } from '../../common/net/index.js';
import { failureOf, isStatus, retryAfterOf, ruleFor, type ErrorRule, type StoreAnswer } from '../failures/index.js';
import type { StoreFigure } from '../figures.js';
import { callStore } from '../store-http.js';
import { ratingsFrom } from './safari.figures.js';

const NAME = "Apple's public lookup";

/** What the lookup says no with (src/stores/README.md#safari-ratings). */
const RULES: readonly ErrorRule<StoreAnswer>[] = [
  {
    when: ({ status, json }) =>
      status === 400 && (asText(asRecord(json)?.['errorMessage']) ?? '').includes('[country]'),
    kind: 'config',
    hint: "It has no such storefront. Check the target's storefront: it is the code of a country with an App Store, such as gb for the United Kingdom.",
  },
  { when: isStatus(403, 429), kind: 'retry', hint: 'It allows about 20 calls a minute from one address.' },
  { when: ({ status }) => status >= 500, kind: 'retry' },
];

/** Apple's public lookup of apps, which takes no key (src/stores/README.md#safari-ratings). */
export class AppStoreLookup {
  constructor(
    private readonly url: string,
    private readonly http: HttpClient,
    private readonly clock: { now(): Date },
  ) {}

  /** The ratings of an app in a storefront as they are on this day; none where the storefront does not have the app. @throws StoreFailure */
  async ratings(appId: string, storefront: string, day: string): Promise<readonly StoreFigure[]> {
    const url = new URL(this.url);
    url.searchParams.set('id', appId);
    url.searchParams.set('country', storefront);
    const answer = await callStore(NAME, () => this.http.request({ method: 'GET', url: url.href }));
    const ratings = answer.status === 200 ? ratingsFrom(answer.json, appId, day) : undefined;
    if (ratings !== undefined) return ratings;
    const message = `${NAME} answered ${answer.status} for the storefront ${storefront}.`;
    const retryAt = retryAfterOf(answer, this.clock.now());
    throw failureOf(answer, ruleFor(RULES, answer), message, { retryAt });
  }
}
