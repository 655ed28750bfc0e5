import { DAY, HOUR, SECOND } from '../../support/clock.js';
import { expectStatus, type Tenant } from '../../support/given.js';
import type { World } from '../../support/app.js';
import { Studio, type Title } from './studio.js';

/** What the console shows of a workspace in which one thing is so. */
export interface State {
  readonly name: string;
  /** What is so, in a sentence. */
  readonly meaning: string;
  /** The page that shows it best. */
  readonly path: string;
  readonly as: Tenant;
}

/** What makes a state, and the page that shows it. */
interface Fixture {
  readonly name: string;
  readonly meaning: string;
  readonly make: (studio: Studio) => Promise<string>;
}

const VERSION = '2.2.0';
const USERS = 48_000;
const KEY_DAYS = 9;
const HUNDRED = 100;
/** More than the hours that making them takes. */
const MAKING_MS = DAY;

const extension = ({ id }: Title): string => `/extensions/${id}`;

/** An extension whose new version Chrome offers to a tenth of its users. */
async function staged(studio: Studio): Promise<Title> {
  const title = await studio.title('Tab Counter', ['chrome', 'firefox', 'edge']);
  await studio.push(title, '2.1.0');
  await studio.count(title, 'chrome', USERS);
  await studio.set(title, 'chrome', { rolloutPercent: 10 });
  await studio.push(title, VERSION);
  return title;
}

const FIXTURES: readonly Fixture[] = [
  {
    name: 'staged',
    meaning: 'Chrome offers a new version to 10% of 48,000 users.',
    make: async (studio) => extension(await staged(studio)),
  },
  {
    name: 'halted',
    meaning: 'The same rollout is halted.',
    make: async (studio) => {
      const title = await staged(studio);
      await studio.pause(title, 'chrome');
      return `${extension(title)}/targets/${await studio.targetOf(title, 'chrome')}`;
    },
  },
  {
    name: 'rejected',
    meaning: 'Chrome has rejected a version that is live at Edge.',
    make: async (studio) => {
      const title = await studio.title('Night Shade', ['chrome', 'edge']);
      await studio.push(title, '2.1.0');
      await studio.holdReviews(title, ['chrome']);
      await studio.push(title, VERSION);
      await title.testStores.get('chrome')?.reject();
      await studio.work();
      return `${extension(title)}/versions/${VERSION}`;
    },
  },
  {
    name: 'failing',
    meaning: 'Edge refuses the key of an extension.',
    make: async (studio) => {
      const title = await studio.title('Quiet Inbox', ['firefox', 'edge']);
      await studio.push(title, '2.1.0');
      await title.testStores.get('edge')?.revoke();
      await studio.push(title, VERSION);
      return '/';
    },
  },
  {
    name: 'lapsing',
    meaning: 'A key expires soon.',
    make: async (studio) => {
      const title = await studio.title('Reader Mode', ['chrome', 'edge']);
      await studio.push(title, VERSION);
      await studio.lapse(title, 'edge', KEY_DAYS);
      await studio.work();
      return '/';
    },
  },
  {
    name: 'empty',
    meaning: 'Somebody has just signed up.',
    make: () => Promise.resolve('/start'),
  },
  {
    name: 'hundred',
    meaning: 'A hundred extensions, one of which was rejected.',
    make: async (studio) => {
      const title = await studio.title('Word Finder', ['chrome', 'edge']);
      await studio.furnish(HUNDRED - 1);
      await studio.holdReviews(title, ['chrome']);
      await studio.push(title, VERSION);
      await title.testStores.get('chrome')?.reject();
      await studio.work();
      return '/';
    },
  },
];

/** The names of all states. */
export const STATE_NAMES: readonly string[] = FIXTURES.map(({ name }) => name);

/**
 * Makes a workspace for each state, through the API and the sandbox.
 * @param shownAt in milliseconds: the time at which the states are shown, to the second
 */
export async function makeStates(world: World, shownAt: number): Promise<readonly State[]> {
  const goTo = (time: number): Promise<void> =>
    world.forward(Math.floor((time - world.clock.now().getTime()) / SECOND) * SECOND);
  const from = shownAt - MAKING_MS;
  const made = [];
  for (const { name, meaning, make } of FIXTURES) {
    // Making one takes seconds of the real time, too: from a whole hour on, what is shown in hours is the same each time.
    await goTo(from + Math.max(Math.ceil((world.clock.now().getTime() - from) / HOUR), 0) * HOUR);
    const person = { email: `${name}@state.example`, password: 'correct horse battery staple' };
    expectStatus(await world.api.post('/auth/signup', { ...person, tenantName: `The state ${name}` }), 201);
    const path = await make(await Studio.around(world, await world.given.loggedIn(person), ''));
    made.push({ name, meaning, path, person });
  }
  await goTo(shownAt);
  await world.tick();
  // Sessions that began while the states were made may have ended by now.
  const states = [];
  for (const { person, ...state } of made) states.push({ ...state, as: await world.given.loggedIn(person) });
  return states;
}
