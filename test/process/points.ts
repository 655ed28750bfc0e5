import type { StoreId } from '../../src/stores/index.js';
import { STORE_IDS } from '../support/app.js';

/** What kind of release dies: a plain one, one whose upload keeps its store busy, one that takes the place of a version in review, or an app's. */
export type Kind = 'plain' | 'dawdling' | 'replacing' | 'app';

/** What is called, by the stand-ins' names, between two things that Pierhead writes down: a look, or a step. */
type Stretch = readonly string[];

/** What a call that is granted twice does: it doubles something, or comes to nothing in the end, or does no harm. */
type Repeated = 'doubles' | 'fails later' | 'harmless';

/** What one version costs at a store. */
interface Way {
  readonly toReview: readonly Stretch[];
  /** Once its review has passed. */
  readonly toLive: readonly Stretch[];
  /** The calls that change something there. */
  readonly writes: Readonly<Record<string, Repeated>>;
}

export const WAYS: Readonly<Record<StoreId, Way>> = {
  chrome: {
    toReview: [['fetchStatus'], ['upload'], ['fetchStatus'], ['publish'], ['fetchStatus']],
    toLive: [['fetchStatus']],
    writes: { upload: 'harmless', publish: 'doubles', cancel: 'doubles' },
  },
  firefox: {
    toReview: [
      ['addon', 'versions'],
      ['addon', 'version', 'upload'],
      ['addon', 'versions', 'uploadStatus'],
      ['uploadStatus'],
      ['addon', 'versions', 'uploadStatus'],
      ['addon', 'createVersion'],
      ['addon', 'versions'],
    ],
    toLive: [['addon', 'versions']],
    writes: { upload: 'harmless', createVersion: 'doubles' },
  },
  edge: {
    toReview: [
      ['uploadStatus'],
      ['upload'],
      ['uploadStatus'],
      ['uploadStatus'],
      ['uploadStatus'],
      ['publish', 'publishStatus'],
      ['publishStatus'],
    ],
    toLive: [['publishStatus']],
    writes: { upload: 'harmless', publish: 'fails later' },
  },
  safari: {
    toReview: [
      ['versions'],
      [
        'versions',
        'builds',
        'answerEncryption',
        'createVersion',
        'attachBuild',
        'localizations',
        'updateWhatsNew',
        'reviews',
        'createReview',
        'addToReview',
        'submit',
      ],
      ['versions'],
    ],
    toLive: [['versions'], ['versions', 'release'], ['versions']],
    writes: {
      answerEncryption: 'harmless',
      createVersion: 'doubles',
      attachBuild: 'harmless',
      updateWhatsNew: 'harmless',
      createReview: 'doubles',
      addToReview: 'doubles',
      submit: 'doubles',
      release: 'doubles',
    },
  },
};

/** Where a release is when its process dies: at a call, with what the store has heard of it. */
export interface Point {
  readonly store: StoreId;
  readonly kind: Kind;
  readonly call: string;
  /** Counted from the push, or from the review's end. */
  readonly nth: number;
  readonly isReviewed: boolean;
  readonly heard: Heard;
}

/** The store never hears of the call; or acts, and its answer is not heard; or hears of it only when the next process has done without. */
type Heard = 'never' | 'unanswered' | 'late';

const WORDS: Readonly<Record<Heard, string>> = {
  never: 'never heard of',
  unanswered: 'not yet answered',
  late: 'heard of when all is done',
};

/** A call that is heard of late has been one that is never heard of until then. */
const HEARD: Readonly<Record<Repeated, readonly Heard[]>> = {
  harmless: ['never', 'unanswered'],
  doubles: ['late', 'unanswered'],
  'fails later': ['late', 'unanswered'],
};

/** Each write, and the end of each look: a read before another call of its stretch is the same moment, here and at the store, as that one. */
function pointsOn(store: StoreId, way: readonly Stretch[], isReviewed: boolean): readonly Point[] {
  const passed: string[] = [];
  return way.flatMap((stretch) =>
    stretch.flatMap((call, index) => {
      passed.push(call);
      const nth = passed.filter((one) => one === call).length;
      const repeated = WAYS[store].writes[call];
      const heard = repeated === undefined ? (['unanswered'] as const) : HEARD[repeated];
      return repeated === undefined && index < stretch.length - 1
        ? []
        : heard.map((how) => ({ store, kind: 'plain' as const, call, nth, isReviewed, heard: how }));
    }),
  );
}

const atWorkOnUpload = (store: StoreId, call: string, nth: number): Point => ({
  store,
  kind: 'dawdling',
  call,
  nth,
  isReviewed: false,
  heard: 'unanswered',
});

const withdrawing = (store: StoreId, heard: Heard): Point => ({
  store,
  kind: 'replacing',
  call: 'withdraw',
  nth: 1,
  isReviewed: false,
  heard,
});

const sendingApp = (call: string, heard: Heard): Point => ({
  store: 'safari',
  kind: 'app',
  call,
  nth: 1,
  isReviewed: false,
  heard,
});

function nameOf({ store, kind, call, nth, isReviewed, heard }: Point): string {
  const when = isReviewed ? ' after the review' : kind === 'dawdling' ? ' of an upload that takes long' : '';
  return `${store}, ${call}${nth > 1 ? ` (${nth})` : ''}${when}, ${WORDS[heard]}`;
}

/** By their names. */
export const POINTS: ReadonlyMap<string, Point> = new Map(
  [
    ...STORE_IDS.flatMap((store) => [
      ...pointsOn(store, WAYS[store].toReview, false),
      ...pointsOn(store, WAYS[store].toLive, true),
    ]),
    atWorkOnUpload('chrome', 'fetchStatus', 3),
    atWorkOnUpload('firefox', 'uploadStatus', 2),
    atWorkOnUpload('edge', 'uploadStatus', 3),
    withdrawing('chrome', 'never'),
    withdrawing('chrome', 'unanswered'),
    withdrawing('safari', 'never'),
    withdrawing('safari', 'unanswered'),
    sendingApp('buildUploads', 'unanswered'),
    ...['createUpload', 'createFile', 'finishFile'].flatMap((call) => [
      sendingApp(call, 'never'),
      sendingApp(call, 'unanswered'),
    ]),
    sendingApp('buildUpload', 'unanswered'),
  ].map((point) => [nameOf(point), point]),
);
