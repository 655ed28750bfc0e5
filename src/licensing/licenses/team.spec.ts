import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { decideInvitation, teamOf, type Team, type TeamLicense, type TeamPlan } from './team.js';

const plan = (maxActivations: number, maxMembers: number | null, seatsPerMember: number | null = null): TeamPlan => ({
  maxActivations,
  maxMembers,
  seatsPerMember,
});
const license = (
  maxActivations: number | null = null,
  maxMembers: number | null = null,
  seatsPerMember: number | null = null,
): TeamLicense => ({ maxActivations, maxMembers, seatsPerMember });
const team = (maxMembers: number, seatsPerMember: number | null = null): Team => ({ maxMembers, seatsPerMember });

describe('the team of a license', () => {
  it.each<[string, TeamLicense, TeamPlan, Team | null]>([
    ['is none on a plan for one person', license(), plan(3, null, 2), null],
    ['is none on that plan, however many devices were bought', license(30), plan(3, null), null],
    ['is as large as the plan says', license(), plan(10, 5), team(5)],
    ['has as many devices each as the plan says', license(), plan(10, 5, 2), team(5, 2)],
    ['grows with the quantity', license(30), plan(10, 5, 2), team(15, 2)],
    ['is one person for each unit of a plan by the head', license(14), plan(2, 1, 2), team(7, 2)],
    ['is rounded down where devices are no multiple', license(13), plan(10, 5), team(6)],
    ['shrinks with the devices', license(4), plan(10, 5), team(2)],
    ['has at least one person', license(1), plan(10, 5), team(1)],
    ['has its own size where the license says one', license(30, 7), plan(10, 5, 2), team(7, 2)],
    ['has its own devices each where the license says so', license(30, 7, 1), plan(10, 5, 2), team(7, 1)],
    ['is made by the license alone', license(null, 4), plan(3, null), team(4)],
    ['is ended by the license', license(null, 0), plan(10, 5, 2), null],
  ])('%s', (_, own, ofPlan, expected) => {
    expect(teamOf(own, ofPlan)).toEqual(expected);
  });

  it('has as many people for a quantity as for as many licenses of one', () => {
    const some = fc.integer({ min: 1, max: 100 });
    fc.assert(
      fc.property(some, some, some, (devices, people, quantity) => {
        const ofPlan = plan(devices, people);
        expect(teamOf(license(quantity * devices), ofPlan)?.maxMembers).toBe(quantity * people);
      }),
    );
  });
});

it.each<[Team | null, number, boolean, ReturnType<typeof decideInvitation>]>([
  [team(2), 0, false, 'add'],
  [team(2), 1, false, 'add'],
  [team(2), 2, false, 'full'],
  [team(2), 5, false, 'full'],
  [team(2), 5, true, 'known'],
  [null, 0, false, 'no_team'],
  [null, 3, true, 'known'],
])('an invitation to %j with %i people, already on it: %s, is %s', (one, members, isMember, expected) => {
  expect(decideInvitation(one, members, isMember)).toBe(expected);
});
