import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE } from '../../common/fields/index.js';

/** The parts of an OpenAPI schema that determine an example. */
interface ExampleSchema {
  readonly $ref?: string;
  readonly allOf?: readonly ExampleSchema[];
  readonly anyOf?: readonly ExampleSchema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly minimum?: number;
  readonly items?: ExampleSchema;
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
}

interface Described {
  readonly schema?: ExampleSchema;
  readonly in?: string;
  readonly name?: string;
  example?: unknown;
  examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Described[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Described>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Described>> }>>;
}

const BY_FORMAT: Readonly<Record<string, unknown>> = {
  uuid: EXAMPLE.id,
  'date-time': '2026-11-22T09:30:00.000Z',
  date: '2026-11-22',
  email: 'ann@example.com',
  uri: 'https://hooks.example.com/pierhead',
};

/** Adds an example to each JSON body, each parameter and each successful JSON answer: its own, or one composed of those of its fields. */
export function addExamples(document: OpenAPIObject): void {
  const operations = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods as Readonly<Record<string, Operation>>),
  );
  for (const { operationId, parameters = [], requestBody, responses } of operations) {
    const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const bodies = [requestBody, ...answers.map(([, answer]) => answer)];
    for (const described of [...parameters, ...bodies.map((body) => body?.content?.['application/json'])]) {
      if (described?.schema === undefined) continue;
      const schema = described.in === 'path' ? { example: EXAMPLE.id, ...described.schema } : described.schema;
      const [own] = Object.values(described.examples ?? {});
      described.example = own?.value ?? exampleOf(schema, document, `${operationId} ${described.name ?? 'body'}`);
      delete described.examples;
    }
  }
}

function exampleOf(schema: ExampleSchema, document: OpenAPIObject, path: string): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/components/schemas/', '');
    return exampleOf(document.components?.schemas?.[name] ?? {}, document, name);
  }
  const [choice] = schema.allOf ?? schema.anyOf ?? [];
  if (choice !== undefined) return exampleOf(choice, document, path);
  return schema.enum?.[0] ?? ofType(schema, document, path);
}

function ofType({ type, format = '', ...schema }: ExampleSchema, document: OpenAPIObject, path: string): unknown {
  switch ([type].flat().find((one) => one !== 'null')) {
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, document, `${path}[]`)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 1);
    case 'string':
      if (format in BY_FORMAT) return BY_FORMAT[format];
      if (Array.isArray(type)) return null;
      break;
    default:
  }
  if (schema.properties === undefined) throw new Error(`${path} needs an example`);
  const properties = Object.entries(schema.properties);
  return Object.fromEntries(properties.map(([name, one]) => [name, exampleOf(one, document, `${path}.${name}`)]));
}
