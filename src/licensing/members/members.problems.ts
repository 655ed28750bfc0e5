import { defineProblem } from '../../common/problems/index.js';

export const MemberNotFound = defineProblem({
  code: 'license_member_not_found',
  status: 404,
  title: 'Member not found',
  cause: 'The tenant has no license with this id, or the license no such member.',
  remedy: 'List the members with GET /licenses/{id}/members.',
});

export const NotATeam = defineProblem(
  {
    code: 'license_not_a_team',
    status: 409,
    title: 'License is for one person',
    cause: 'Neither the license nor its plan has a number of members.',
    remedy: 'Set `maxMembers` of the plan or of the license.',
  },
  () => 'This license is for one person. Set maxMembers of its plan, or of the license.',
);

export const TeamFull = defineProblem(
  {
    code: 'team_full',
    status: 409,
    title: 'The team is full',
    cause: 'The license has as many members as it allows, or more since the number became lower.',
    remedy: 'Remove a member, or raise the number.',
  },
  (maxMembers: number) => ({
    detail: `${maxMembers === 1 ? 'One person' : `${maxMembers} people`} can be on this license. Remove a member, or raise the number.`,
    members: { maxMembers },
  }),
);
