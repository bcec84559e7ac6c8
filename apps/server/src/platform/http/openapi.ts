import { type AnyEndpoint, API_BASE } from '@steward/contract/api/endpoint';
import { ErrorBody } from '@steward/contract/api/errors';
import { z } from 'zod';

export function toOpenApi(endpoints: readonly AnyEndpoint[], product: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const definition of endpoints) {
    const path = API_BASE + definition.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [definition.method.toLowerCase()]: toOperation(definition) };
  }
  return {
    openapi: '3.1.0',
    info: { title: `${product} API`, version: '4', description: 'Cookies carry the session; bodies are JSON.' },
    paths,
    components: { schemas: { ErrorBody: toSchema(ErrorBody, 'output') } },
  };
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>;
  return rest;
}

function toParameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Record<string, unknown>[] {
  if (!schema) return [];
  const object = toSchema(schema, 'input') as { properties?: Record<string, object>; required?: string[] };
  return Object.entries(object.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (object.required ?? []).includes(name),
    schema: property,
  }));
}

function toBody({ body, accepts }: AnyEndpoint): { requestBody?: object } {
  if (typeof accepts === 'object') {
    const content = accepts.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]);
    return { requestBody: { required: true, content: Object.fromEntries(content) } };
  }
  if (accepts !== undefined) {
    const schema = { type: 'string', description: 'One JSON object a line.' };
    return { requestBody: { required: true, content: { [accepts]: { schema } } } };
  }
  if (!body) return {};
  // Without a required field, a missing body counts as an empty one.
  const required = !body.safeParse({}).success;
  return { requestBody: { required, content: { 'application/json': { schema: toSchema(body, 'input') } } } };
}

function toOperation(definition: AnyEndpoint): Record<string, unknown> {
  const json = (schema: object) => ({ 'application/json': { schema } });
  return {
    operationId: definition.name,
    summary: definition.summary,
    parameters: [...toParameters(definition.params, 'path'), ...toParameters(definition.query, 'query')],
    ...toBody(definition),
    responses: {
      [definition.success ?? 200]: { description: 'Success', content: json(toSchema(definition.answer, 'output')) },
      '4XX': { description: 'Refused; nothing changed', content: json({ $ref: '#/components/schemas/ErrorBody' }) },
    },
  };
}
