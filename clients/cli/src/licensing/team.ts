import { usageFailure } from '../failure.js';

/** The options of a team, of a plan or of one license. */
export const TEAM_OPTIONS = [
  ['--members <count>', 'how many people may join the buyer of a license, or none'],
  ['--devices-per-member <count>', 'how many devices each of them may use, or none for as many as are left'],
] as const;

/** What these options were given. */
export interface TeamOptions {
  readonly members?: string;
  readonly devicesPerMember?: string;
}

/** The members of a request that these options name. @throws Failure for what is no number */
export const teamOf = ({ members, devicesPerMember }: TeamOptions) => ({
  ...(members === undefined ? {} : { maxMembers: countOf(members) }),
  ...(devicesPerMember === undefined ? {} : { seatsPerMember: countOf(devicesPerMember) }),
});

function countOf(text: string): number | null {
  if (text === 'none') return null;
  if (!/^\d{1,9}$/.test(text)) throw usageFailure(`"${text}" is not a number.`, 'Example: --members 5');
  return Number(text);
}
