import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultOptions } from '../../sandbox/sandbox-control.js';
import type { FailureKind, Observed, StepOutcome, StorePackage, StoreStep } from '../../src/stores/index.js';
import type { Call, ItemOptions, Owner, StoreBench } from './store-bench.js';
import { known, DEFAULT_SUBMIT_OPTIONS, StoreFailure, UNKNOWN } from '../support/app.js';

const CALLS: readonly Call[] = ['authenticate', 'observe', 'upload', 'submit'];
const PASSING: Readonly<Record<string, Omit<FaultOptions, 'match'>>> = {
  'a 500': { kind: 'status', status: 500 },
  'a 503': { kind: 'status', status: 503 },
  'a web page': { kind: 'body', body: '<!doctype html><p>Not now.</p>' },
  'a giant': { kind: 'huge-body', megabytes: 3 },
  nothing: { kind: 'drop-before' },
  'nothing, though it acted,': { kind: 'drop-after' },
  'a 500, though it acted,': { kind: 'status-after', status: 500 },
};

/** More than a stand-in takes to process an upload; one that never ends fails its test. */
const MAX_POLLS = 10;

/** What every adapter promises the engine (src/stores/store.ts), tested against its stand-in. */
export function storeContract(title: string, start: () => Promise<StoreBench>): void {
  describe(`the adapter of ${title}`, () => {
    let bench: StoreBench;
    beforeAll(async () => {
      bench = await start();
    });
    afterAll(() => bench.close());

    const takesPackages = (): boolean => bench.store.capabilities.requiresArtifact || bench.buildNumber !== undefined;

    const begin = async (options: ItemOptions = {}, by?: Owner) => {
      const owner = by ?? (await bench.owner());
      const item = await bench.item(owner, options);
      // Handles are passed to the next call, as the engine does.
      let handles = item.handles;
      const observe = (): Promise<Observed> => bench.store.observe(owner.credentials, { ...item, handles });
      const carryOut = async (step: StoreStep): Promise<StepOutcome> => {
        const outcome = await bench.store.carryOut(owner.credentials, { ...item, handles }, step, 'key');
        handles = { ...handles, ...outcome.handles };
        return outcome;
      };
      /** Uploads, and polls until the upload has ended. */
      const send = async (sent: StorePackage): Promise<StepOutcome> => {
        const { version } = sent;
        let outcome = await carryOut({ step: 'upload', version, package: sent });
        for (let polls = 0; outcome.outcome === 'pending' && polls < MAX_POLLS; polls += 1)
          outcome = await carryOut({ step: 'poll', version });
        return outcome;
      };
      const upload = async (version: string) => send(await parcel(version));
      const submit = (version: string) => {
        const notes = bench.store.capabilities.releaseNotes ? 'Bug fixes and improvements.' : null;
        const reviewerNotes = bench.store.capabilities.reviewerNotes ? 'Nothing to log in to.' : null;
        return carryOut({ step: 'submit', version, ...DEFAULT_SUBMIT_OPTIONS, notes, reviewerNotes });
      };
      /** Makes a version ready to be submitted. */
      const prepare = async (version: string): Promise<void> => {
        if (takesPackages()) await upload(version);
        else await bench.deliver?.(item, version);
      };
      /** The first step at which the store can refuse a version. */
      const offer = async (version: string): Promise<StepOutcome> => {
        if (takesPackages() && bench.judgesVersionsAt !== 'submit') return upload(version);
        await prepare(version);
        return submit(version);
      };
      return { owner, item, observe, carryOut, send, upload, submit, prepare, offer };
    };

    const parcel = async (version: string, opened: Readable[] = []): Promise<StorePackage> => {
      return parcelOf(version, await bench.packageOf(version), opened);
    };
    const parcelOf = (version: string, bytes: Buffer, opened: Readable[] = []): StorePackage => ({
      version,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
      ...(bench.buildNumber === undefined ? {} : { buildNumber: bench.buildNumber }),
      open: ({ offset, length } = { offset: 0, length: bytes.length }) => {
        const stream = Readable.from([bytes.subarray(offset, offset + length)]);
        opened.push(stream);
        return Promise.resolve(stream);
      },
    });

    const failureOf = async (asked: Promise<unknown>): Promise<StoreFailure> => {
      const failure = await asked.then(
        (answer) => new Error(`It answered ${JSON.stringify(answer)}`),
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(StoreFailure);
      return failure as StoreFailure;
    };

    const kindOf = async (asked: Promise<unknown>): Promise<FailureKind> => (await failureOf(asked)).kind;

    /** Makes a call with a fault, in a state in which it would otherwise succeed. */
    const failing = async (call: Call, fault: Omit<FaultOptions, 'match'>, by?: Owner): Promise<StoreFailure> => {
      const { owner, item, observe, upload, submit, prepare } = await begin({}, by);
      if (call === 'submit') await prepare('1.0.0');
      await bench.fault(owner, item, call, fault);
      const make: Readonly<Record<Call, () => Promise<unknown>>> = {
        authenticate: () => bench.store.verify(owner.credentials),
        observe,
        upload: () => upload('1.0.0'),
        submit: () => submit('1.0.0'),
      };
      return failureOf(make[call]());
    };

    describe('verifying', () => {
      it('returns the identity, and changes nothing', async () => {
        const { owner, item } = await begin();
        const { identity } = await bench.store.verify(owner.credentials);
        expect(identity).not.toBe('');
        for (const secret of owner.secrets) expect(identity).not.toContain(secret);
        expect(await bench.effects(item)).toEqual({ writes: 0, submissions: 0 });
      });

      it('calls the store each time, and so notices a revoked key', async () => {
        const { owner } = await begin();
        await bench.store.verify(owner.credentials);
        await bench.revoke(owner);
        expect(await kindOf(bench.store.verify(owner.credentials))).toBe('credential');
      });
    });

    describe('observing', () => {
      it('only reads, and returns the same again', async () => {
        const { item, observe } = await begin({ live: '1.0.0', inReview: '1.1.0' });
        const seen = await observe();
        expect(await observe()).toEqual(seen);
        expect(await bench.effects(item)).toEqual({ writes: 0, submissions: 0 });
      });

      it('returns the live version and the one in review, as far as the store reports them', async () => {
        const { capabilities } = bench.store;
        const { observe } = await begin({ live: '1.0.0', inReview: '1.1.0' });
        const { live, submission, takenDown, warned } = await observe();
        expect(live).toEqual(capabilities.canReadLive ? known('1.0.0') : { known: false });
        const inReview = known({ version: '1.1.0', state: 'in_review' });
        expect(submission).toEqual(capabilities.canReadInReview ? inReview : { known: false });
        expect({ takenDown, warned }).toEqual({ takenDown: false, warned: false });
      });

      it('returns the file that users get, where it can be read', async () => {
        const { item } = await begin({ live: '1.0.0' });
        const asked = bench.store.servedFile(item);
        if (bench.store.capabilities.servedFile) expect(await asked).toMatchObject({ version: '1.0.0' });
        else expect(await kindOf(asked)).toBe('config');
      });

      it('distinguishes nothing from unknown', async () => {
        const { observe } = await begin();
        const { live, submission } = await observe();
        for (const seen of [live, submission]) expect(seen.known ? seen.value : null).toBeNull();
      });

      it.each([
        ['reject', 'rejected'],
        ['cancel', 'cancelled'],
      ] as const)('returns the result of a review: %s', async (verdict, state) => {
        const { item, observe } = await begin({ inReview: '1.1.0' });
        await bench.decide(item, verdict);
        const { submission } = await observe();
        if (submission.known) expect(submission.value).toEqual({ version: '1.1.0', state });
      });

      it('reports that the item was taken down', async () => {
        // A store that does not report reviews does not report this either.
        if (!bench.store.capabilities.canReadInReview || bench.hidesTakedowns === true) return;
        const { item, observe } = await begin({ live: '1.0.0' });
        await bench.decide(item, 'takedown');
        expect(await observe()).toMatchObject({ takenDown: true });
      });

      it('reports an undocumented state as unknown', async () => {
        const { canReadInReview, needsCrxId } = bench.store.capabilities;
        const { owner, item, observe } = await begin();
        await bench.fault(owner, item, 'observe', { kind: 'body', body: bench.unheardOf(owner, item, '1.1.0') });
        const { live, submission } = await observe();
        // Where only the public listing can be read, a missing one may be hidden.
        expect(live).toEqual(needsCrxId ? UNKNOWN : known(null));
        expect(submission).toEqual(canReadInReview ? known({ version: '1.1.0', state: 'unknown' }) : UNKNOWN);
      });
    });

    describe('carrying out', () => {
      it('brings a version from a package to live', async () => {
        const { item, observe, carryOut, upload, submit, prepare } = await begin({ live: '1.0.0' });
        if (takesPackages()) expect((await upload('1.1.0')).note).toContain('1.1.0');
        else await prepare('1.1.0');
        const submitted = await submit('1.1.0');
        expect(submitted.note).toContain('1.1.0');
        await bench.decide(item, 'approve');
        const { submission } = await observe();
        // A store at which every approved version waits must be asked to release it.
        if (submission.known && submission.value?.state === 'approved')
          for (const _ of ['once', 'twice'])
            expect(await carryOut({ step: 'release', version: '1.1.0' })).toMatchObject({ outcome: 'done' });
        expect(await observe()).toMatchObject({ live: known('1.1.0') });
        expect(await bench.effects(item)).toMatchObject({ submissions: 1 });
      });

      it('uploading twice leaves one draft, submitting twice leaves one submission', async () => {
        const { item, observe, upload, submit, prepare } = await begin();
        await prepare('1.0.0');
        if (takesPackages()) expect(await upload('1.0.0')).toMatchObject({ outcome: 'done' });
        await submit('1.0.0');
        const again = await submit('1.0.0').catch((error: unknown) => error);
        if (again instanceof StoreFailure) expect(['wait', 'done']).toContain(again.kind);
        expect(await bench.effects(item)).toMatchObject({ submissions: 1 });
        const inReview = known({ version: '1.0.0', state: 'in_review' });
        const { submission } = await observe();
        expect(submission).toEqual(bench.store.capabilities.canReadInReview ? inReview : UNKNOWN);
      });

      it('withdrawing twice withdraws once, and succeeds both times', async () => {
        if (!bench.store.capabilities.canCancel) return;
        const { observe, prepare, submit, carryOut } = await begin();
        await prepare('1.0.0');
        await submit('1.0.0');
        for (const _ of ['once', 'twice'])
          expect(await carryOut({ step: 'cancel', version: '1.0.0' })).toMatchObject({ outcome: 'done' });
        expect(await observe()).toMatchObject({ submission: known({ version: '1.0.0', state: 'cancelled' }) });
      });

      it('opens a package only to send it, and leaves none open', async () => {
        if (!takesPackages()) return;
        const [{ carryOut }, other] = [await begin(), await begin()];
        const opened: Readable[] = [];
        const step = { step: 'upload', version: '1.0.0', package: await parcel('1.0.0', opened) } as const;
        await carryOut(step);
        await bench.fault(other.owner, other.item, 'upload', { kind: 'drop-before' });
        await failureOf(other.carryOut(step));
        expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
      });
    });

    describe('a failure', () => {
      it('to authenticate is about the credential in every call', async () => {
        const { owner, observe, offer, submit } = await begin();
        await observe();
        await bench.revoke(owner);
        for (const ask of [observe, () => offer('1.0.0'), () => submit('1.0.0')])
          expect(await kindOf(ask())).toBe('credential');
      });

      it('to find the item needs a person', async () => {
        const { owner, item } = await begin();
        const step = { step: 'upload', version: '1.0.0', package: await parcel('1.0.0') } as const;
        const elsewhere = {
          ...item,
          storeItemId: `${item.storeItemId.slice(0, -1)}${item.storeItemId.endsWith('a') ? 'b' : 'a'}`,
        };
        // Where an item cannot be read, only a write shows that it does not exist.
        const asked = bench.store.capabilities.canReadInReview
          ? bench.store.observe(owner.credentials, elsewhere)
          : bench.store.carryOut(owner.credentials, elsewhere, step, 'key');
        expect(await kindOf(asked)).toBe('config');
      });

      it('because of a version that is too low is about the artifact', async () => {
        const { offer } = await begin({ live: '2.0.0' });
        expect(await kindOf(offer('1.0.0'))).toBe('artifact');
      });

      it('because of an invalid package is about the artifact', async () => {
        if (!takesPackages()) return;
        const { send } = await begin();
        const broken = parcelOf('1.0.0', Buffer.from('no zip'));
        expect(await kindOf(send(broken))).toBe('artifact');
      });

      it("because of another version's review only means to wait", async () => {
        if (bench.store.capabilities.supersedesPending) return;
        const { offer } = await begin({ inReview: '1.0.0' });
        expect(await kindOf(offer('1.1.0'))).toBe('wait');
      });

      describe.each(CALLS)('to %s', (call) => {
        const isMade = (): boolean => call !== 'upload' || takesPackages();

        it.each(Object.keys(PASSING))('after %s is retried', async (name) => {
          if (!isMade()) return;
          const { kind } = await failing(call, PASSING[name] ?? { kind: 'drop-before' });
          expect(kind).toBe('retry');
        });

        it('because of a throttle has the time of the next attempt', async () => {
          if (!isMade()) return;
          const asked = Date.now();
          const throttled = { kind: 'status', status: 429, headers: { 'Retry-After': '90' } } as const;
          const { kind, details } = await failing(call, throttled);
          expect(kind).toBe('retry');
          const seconds = ((details.retryAt?.getTime() ?? 0) - asked) / 1000;
          expect(seconds).toBeGreaterThanOrEqual(90);
          expect(seconds).toBeLessThan(100);
        });

        it.each([400, 401, 403, 500])(
          'contains no secret, even when the store sends them back with %i',
          async (status) => {
            if (!isMade()) return;
            const owner = await bench.owner();
            const said = owner.secrets.join(' ');
            const body = {
              error: { code: status, message: said, secret: owner.secrets },
              errors: [{ status: String(status), code: said, title: said, detail: said }],
            };
            const told = everythingOf(await failing(call, { kind: 'status', status, body, times: 2 }, owner));
            for (const secret of owner.secrets) expect(told).not.toContain(secret);
          },
        );
      });
    });
  });
}

/** All that could be printed of an error. */
function everythingOf(error: Error): string {
  const { message, stack, cause } = error;
  const rest =
    error instanceof StoreFailure ? JSON.stringify({ ...error, details: { ...error.details, cause: null } }) : '';
  return [message, stack, rest, cause instanceof Error ? everythingOf(cause) : String(cause)].join('\n');
}
