import { defineProblem } from '../../common/problems/index.js';

export const ExportNotFound = defineProblem({
  code: 'export_not_found',
  status: 404,
  title: 'Export not found',
  cause: 'The tenant has no export with this id. Exports are deleted after 24 hours.',
  remedy: 'List the exports with GET /tenant/exports, or request a new one.',
});

export const ExportUnderWay = defineProblem(
  {
    code: 'export_under_way',
    status: 409,
    title: 'Export under way',
    cause: 'Another export of the tenant is in progress.',
    remedy: 'Wait until it is ready; GET /tenant/exports shows its state.',
  },
  () => 'An export of this tenant is already in progress. Wait until it is ready.',
);

export const ExportNotReady = defineProblem(
  {
    code: 'export_not_ready',
    status: 409,
    title: 'Export not ready',
    cause: 'The export is still in progress, or has failed.',
    remedy: 'Download it once its state is ready. If it has failed, request a new one.',
  },
  () => 'This export cannot be downloaded. Its state shows whether it is in progress or has failed.',
);

export const TenantNameMismatch = defineProblem(
  {
    code: 'tenant_name_mismatch',
    status: 422,
    title: 'Wrong tenant name',
    cause: 'The name that was typed to confirm the deletion is not the name of the tenant.',
    remedy: 'Type the name as GET /auth/me shows it.',
  },
  () => 'The name is not that of this tenant. Nothing will be deleted.',
);

export const DeletionScheduled = defineProblem(
  {
    code: 'deletion_scheduled',
    status: 409,
    title: 'Deletion is scheduled',
    cause: 'The deletion of the tenant is already scheduled.',
    remedy: 'GET /tenant/deletion shows when. DELETE /tenant/deletion cancels it.',
  },
  () => 'The deletion of this tenant is already scheduled.',
);

export const DeletionNotScheduled = defineProblem(
  {
    code: 'deletion_not_scheduled',
    status: 404,
    title: 'No deletion is scheduled',
    cause: 'No deletion of the tenant is scheduled, or it has begun.',
    remedy: 'There is nothing to cancel.',
  },
  () => 'This tenant has no scheduled deletion that can be canceled.',
);
