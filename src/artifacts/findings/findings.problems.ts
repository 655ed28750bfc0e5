import { defineProblem } from '../../common/problems/index.js';

export const FindingNotFound = defineProblem({
  code: 'finding_not_found',
  status: 404,
  title: 'Finding not found',
  cause: 'The artifact has no finding with this id.',
  remedy: 'List the findings with GET /artifacts/{id}/findings.',
});

export const FindingHoldsNothing = defineProblem(
  {
    code: 'finding_holds_nothing',
    status: 409,
    title: 'The finding holds nothing',
    cause: 'Only findings of severity refused hold a version; this one is a warning or a note.',
    remedy: 'Nothing has to be overridden.',
  },
  () => 'This finding does not hold the version, so there is nothing to override.',
);
