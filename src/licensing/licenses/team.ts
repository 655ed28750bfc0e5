import { devicesAllowed } from './license-status.js';

/** What a plan says about the people on its licenses. */
export interface TeamPlan {
  readonly maxActivations: number;
  /** Null when its licenses are for one person. */
  readonly maxMembers: number | null;
  readonly seatsPerMember: number | null;
}

/** What a license says itself; null takes the plan's. */
export interface TeamLicense {
  readonly maxActivations: number | null;
  /** 0 makes it no team. */
  readonly maxMembers: number | null;
  readonly seatsPerMember: number | null;
}

/** How many people may be on a license, and how many devices each of them may use; null when they share those of the license. */
export interface Team {
  readonly maxMembers: number;
  readonly seatsPerMember: number | null;
}

/**
 * Decides whether a license is a team's, and its limits. A license that allows a multiple of its plan's devices, such as one that was bought in a
 * quantity, allows the same multiple of people, rounded down. Pure.
 * @returns null when the license is for one person
 */
export function teamOf(license: TeamLicense, plan: TeamPlan): Team | null {
  const devices = devicesAllowed(license.maxActivations, plan.maxActivations);
  const ofPlan =
    plan.maxMembers === null ? 0 : Math.max(1, Math.floor((plan.maxMembers * devices) / plan.maxActivations));
  const maxMembers = license.maxMembers ?? ofPlan;
  return maxMembers === 0 ? null : { maxMembers, seatsPerMember: license.seatsPerMember ?? plan.seatsPerMember };
}

/** What becomes of an invitation. People on the license stay on it, even when their number is above the limit. Pure. */
export function decideInvitation(
  team: Team | null,
  members: number,
  isMember: boolean,
): 'known' | 'add' | 'full' | 'no_team' {
  if (isMember) return 'known';
  if (team === null) return 'no_team';
  return members < team.maxMembers ? 'add' : 'full';
}
