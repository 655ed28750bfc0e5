import type { OpenAPIObject } from '@nestjs/swagger';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
  >;
}

interface Template {
  readonly template: string;
  readonly pattern: RegExp;
  readonly operations: Readonly<Record<string, Operation | undefined>>;
}

type Schema = Record<string, unknown> & { properties?: Record<string, unknown>; additionalProperties?: unknown };

/** Holds answers against `openapi.json`. What no route answered (404 and 405 of the router) is held against the problem's shape. */
export class Contract {
  /** By the document's text: the services of a test file mostly describe the same API, whose schemas are compiled once then. */
  private static readonly known = new Map<string, Contract>();

  private readonly ajv = addFormats.default(new Ajv({ strict: false, allErrors: true, inlineRefs: false }));
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly templates: readonly Template[];

  static of(document: OpenAPIObject): Contract {
    const text = JSON.stringify(document);
    const contract = Contract.known.get(text) ?? new Contract(document);
    Contract.known.set(text, contract);
    return contract;
  }

  private constructor(document: OpenAPIObject) {
    this.templates = Object.entries(document.paths).map(([template, methods]) => ({
      template,
      pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`),
      operations: methods as Template['operations'],
    }));
    const closed = structuredClone(document) as unknown as { components: { schemas: Record<string, Schema> } };
    for (const [name, schema] of Object.entries(closed.components.schemas))
      if (name !== 'Problem' && schema.properties !== undefined && schema.additionalProperties === undefined)
        schema.additionalProperties = false;
    this.ajv.addSchema(closed, 'openapi');
  }

  /** @throws Error that says which promise the answer breaks */
  check(method: string, path: string, answer: Seen): void {
    const found = this.operationAt(method, path);
    if (found === null) return this.checkUnrouted(method, path, answer);
    const [template, operation] = found;
    const name = `${method} ${template} ${answer.status}`;
    const promised = operation.responses[String(answer.status)];
    if (promised === undefined) throw new Error(`${name} is not documented: ${JSON.stringify(answer.body)}`);
    const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
    if (promised.content === undefined) {
      if (answer.body !== null) throw new Error(`${name} has a body that is not documented`);
      return;
    }
    const media = promised.content[type];
    if (media === undefined)
      throw new Error(`${name} is ${type}, and documented as ${Object.keys(promised.content).join(', ')}`);
    if (!/[/+]json/.test(type)) return;
    const pointer = [
      'paths',
      template,
      method.toLowerCase(),
      'responses',
      String(answer.status),
      'content',
      type,
      'schema',
    ];
    this.validate(
      name,
      `openapi#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
      answer.body,
    );
  }

  private checkUnrouted(method: string, path: string, answer: Seen): void {
    if (!path.startsWith('/api/v1')) return;
    const code = (answer.body as { readonly code?: string } | null)?.code;
    if (code !== 'not_found' && code !== 'method_not_allowed')
      throw new Error(`${method} ${path} is no documented route, and answered ${answer.status}`);
    this.validate(`${method} ${path}`, 'openapi#/components/schemas/Problem', answer.body);
  }

  private validate(name: string, reference: string, body: unknown): void {
    const validate = this.compiled.get(reference) ?? this.ajv.compile({ $ref: reference });
    this.compiled.set(reference, validate);
    if (!validate(body))
      throw new Error(`${name} breaks its schema: ${this.ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`);
  }

  private operationAt(method: string, path: string): [string, Operation] | null {
    for (const { template, pattern, operations } of this.templates) {
      const operation = operations[method.toLowerCase()];
      if (operation !== undefined && pattern.test(path)) return [template, operation];
    }
    return null;
  }
}
