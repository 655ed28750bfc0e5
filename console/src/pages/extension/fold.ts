import { date } from '../../ui/format';

/** The parts of an event that matter here. */
interface Event {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
}

/** A row of the timeline: an event, or events of licenses that follow one another on one day. */
export type Row<Of extends Event> = { readonly id: string; readonly at: string } & (
  { readonly event: Of } | { readonly folded: readonly Of[] }
);

const isOfLicense = ({ kind }: Event): boolean => kind.startsWith('license');

/** Folds runs of license events, so that a day of sales does not hide the versions; those that somebody opened stay open. Pure. */
export function fold<Of extends Event>(events: readonly Of[], opened: ReadonlySet<string>): readonly Row<Of>[] {
  const runs: Of[][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isSameRun = last !== undefined && isOfLicense(last) && isOfLicense(event) && date(last.at) === date(event.at);
    if (isSameRun) run?.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run) => {
    const [{ at }] = run as [Of];
    const all = run.map((event) => ({ id: event.id, at: event.at, event }));
    if (run.length === 1) return all;
    // Newer events join a run at its one end and older ones, once they are loaded, at its other.
    const named = run.map(({ id }) => `to ${id}`);
    const id = named.find((one) => opened.has(one)) ?? named.at(-1) ?? '';
    const head = { id, at, folded: run };
    return opened.has(id) ? [head, ...all] : [head];
  });
}
