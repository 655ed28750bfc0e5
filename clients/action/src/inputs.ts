import { getInput } from '@actions/core';
import { serviceUrl } from '../../cli/src/settings/login.js';

/** Inputs of the workflow. */
export interface Inputs {
  readonly url: string;
  /** Empty for an exchange of the job's own token. */
  readonly token: string;
  /** Tenant whose trust rules count for an exchange. */
  readonly trusting: { readonly tenantId?: string; readonly extension?: string };
  /** The arguments of `pierhead` that do it. */
  readonly args: readonly string[];
  /** Zip, folder or project; empty where pierhead.json or the build says it. */
  readonly package: string;
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Options whose value is that of the input of the same name. */
const OPTIONS = ['extension', 'target', 'sources', 'notes', 'notes-file', 'wait', 'timeout'];

/** @throws Error or Failure for an input that is missing, or is no address */
export function readInputs(): Inputs {
  const [path, tenantId, extension] = ['package', 'tenant', 'extension'].map((name) => getInput(name)) as [
    string,
    string,
    string,
  ];
  const stores = getInput('stores')
    .split(/[\s,]+/)
    .filter((store) => store !== '');
  const options = OPTIONS.flatMap((name) => {
    const value = getInput(name);
    return value === '' ? [] : [`--${name}=${value}`];
  });
  return {
    url: serviceUrl(getInput('url', { required: true })),
    token: getInput('token'),
    trusting: {
      ...(tenantId === '' ? {} : { tenantId }),
      ...(UUID.test(extension) ? { extension } : {}),
    },
    package: path,
    args: [
      'push',
      '--json',
      ...options,
      ...stores.map((store) => `--store=${store}`),
      ...(path === '' ? [] : ['--', path]),
    ],
  };
}
