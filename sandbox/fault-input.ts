import type { Fault, FaultEffect, FaultDefinition, FaultReply, FaultTarget } from './faults.js';
import { type Check, type Fields, fields, InvalidInput, integer, oneOf, optional, required, text } from './input.js';

const KINDS = [
  'status',
  'delay',
  'delay-after',
  'drop-before',
  'drop-after',
  'status-after',
  'body',
  'huge-body',
] as const satisfies readonly FaultEffect['kind'][];

const FAULT_FIELDS = [
  'store',
  'publisherId',
  'itemId',
  'match',
  'times',
  'skip',
  'kind',
  'status',
  'headers',
  'body',
  'ms',
  'megabytes',
];

const httpStatus = integer(200, 599);
const milliseconds = integer(0, 600_000);

/** Reads the body of `POST /__sim/faults`. */
export function readFaultDefinition(body: unknown): FaultDefinition {
  const from = fields(body, 'a fault', FAULT_FIELDS);
  return {
    target: readTarget(from),
    effect: readEffect(from),
    skip: optional(from, 'skip', integer(0, 1_000_000)) ?? 0,
    times: from.times === 'always' ? null : (optional(from, 'times', integer(1, 1_000_000)) ?? 1),
  };
}

/** A fault as the control plane shows it. */
export function describeFault(fault: Fault): Record<string, unknown> {
  const { pathRegex, ...target } = fault.target;
  return {
    id: fault.id,
    kind: fault.effect.kind,
    target: { ...target, ...(pathRegex && { pathRegex: pathRegex.source }) },
    skipLeft: fault.skipLeft,
    timesLeft: fault.timesLeft ?? 'always',
    hits: fault.hits,
  };
}

function readTarget(from: Fields): FaultTarget {
  const match = fields(from.match ?? {}, 'match', ['method', 'path', 'pathRegex', 'operation']);
  return {
    store: optional(from, 'store', text),
    publisherId: optional(from, 'publisherId', text),
    itemId: optional(from, 'itemId', text),
    operation: optional(match, 'operation', text),
    method: optional(match, 'method', text),
    path: optional(match, 'path', text),
    pathRegex: optional(match, 'pathRegex', pattern),
  };
}

function readEffect(from: Fields): FaultEffect {
  const kind = required(from, 'kind', oneOf(KINDS));
  switch (kind) {
    case 'status':
    case 'status-after':
      return { kind, status: required(from, 'status', httpStatus), reply: readReply(from) };
    case 'delay':
    case 'delay-after':
      return { kind, ms: required(from, 'ms', milliseconds) };
    case 'body':
      if (from.body === undefined) throw new InvalidInput('"body" is required');
      return { kind, reply: readReply(from) };
    case 'huge-body':
      return { kind, megabytes: required(from, 'megabytes', integer(1, 10_000)) };
    case 'drop-before':
    case 'drop-after':
      return { kind };
  }
}

function readReply(from: Fields): FaultReply {
  const given = fields(from.headers ?? {}, 'headers');
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, text(value, name)]));
  return { headers, body: from.body };
}

const pattern: Check<RegExp> = (value, what) => {
  try {
    return new RegExp(text(value, what));
  } catch {
    throw new InvalidInput(`"${what}" is not a regular expression`);
  }
};
