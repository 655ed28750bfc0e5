import type { components } from '../../../../clients/cli/src/api/schema.js';

/** The parts of an event, and of a release, that matter here. */
interface Event {
  readonly at: string;
  readonly kind: string;
  readonly data: unknown;
}
type Schemas = components['schemas'];
type State = Schemas['ReleaseTarget']['state'];
type Tone = Schemas['Display']['tone'];
interface Release {
  readonly state: State;
  readonly at: string;
  readonly display: { readonly tone: Tone };
}

export const STAGES = ['Pushed', 'Checked', 'In review', 'Approved', 'Live'] as const;

/** One stop of a version on its way into a store. */
export interface Stage {
  readonly name: (typeof STAGES)[number];
  readonly state: 'done' | 'now' | 'needed' | 'stopped' | 'later';
  /** When the version came through here; null where that is not known. */
  readonly at: string | null;
}

/** Number of stages that a release in this state has passed; null where only the timeline says. */
const REACHED_BY: Readonly<Record<State, number | null>> = {
  queued: 1,
  uploading: 1,
  processing: 1,
  submitting: 2,
  in_review: 2,
  rejected: 2,
  approved: 3,
  releasing: 4,
  live: 5,
  failed: null,
  superseded: null,
  cancelled: null,
};

/** Look of a version's current stage. */
const HERE = {
  live: 'now',
  underway: 'now',
  needs_you: 'needed',
  rejected: 'stopped',
  off: 'stopped',
} as const satisfies Readonly<Record<Tone, Stage['state']>>;

const stepOf = ({ data }: Event): unknown => (data as { readonly step?: unknown } | null)?.step;

/** Events that show that a version passed a stage. */
const EVENT_OF_STAGE: readonly ((event: Event) => boolean)[] = [
  ({ kind }) => kind === 'pinned',
  (event) => event.kind === 'step_done' && ['upload', 'poll'].includes(String(stepOf(event))),
  (event) =>
    event.kind === 'phase_in_review' || (/^step_(done|pending)$/.test(event.kind) && stepOf(event) === 'submit'),
  (event) => event.kind === 'phase_approved' || event.kind === 'phase_releasing',
  ({ kind }) => kind === 'phase_live',
];

/**
 * The way of a version into one store, by the state of its release and its events in the timeline.
 * @param events of this version at this target, and its pins; newest first
 * @param pushedAt when it was pushed, where the timeline no longer says
 */
export function stagesOf(
  { state, at, display: { tone } }: Release,
  events: readonly Event[],
  pushedAt: string | null,
): readonly Stage[] {
  const times = EVENT_OF_STAGE.map((has) => events.find(has)?.at ?? null);
  // A live version passed every stage; others stopped at the last one known.
  const reached =
    times[4] === null
      ? Math.max(
          1,
          times.findLastIndex((time) => time !== null),
        )
      : times.length;
  const behind = REACHED_BY[state] ?? reached;
  const here = HERE[tone];
  return STAGES.map((name, index) => {
    if (index < behind) return { name, state: 'done', at: times[index] ?? (index === 0 ? pushedAt : null) };
    if (index > behind) return { name, state: 'later', at: null };
    return { name, state: here, at };
  });
}
