import { toolReference, type ToolReference } from '../mcp/src/reference.ts';
import { page, table } from './markdown-reference.ts';

/** docs/reference/mcp.md */
export function mcpReference(): string {
  const groups = toolReference();
  const contents = groups.map(
    ({ group, tools }) => `- ${group}: ${tools.map(({ name }) => `[\`${name}\`](#${name})`).join(', ')}`,
  );
  const body = groups.flatMap(({ group, tools }) => [`## ${group}`, ...tools.flatMap(toolText)]);
  return page('Tools of the MCP server', [INTRODUCTION, contents.join('\n'), ...body]);
}

const INTRODUCTION = `What assistants can do with Lilac. How they are connected, and how they are kept from doing too much, is in
[the guide](../mcp.md). Every tool answers with structured content beside the same as text; what goes wrong is answered
as an error that says what to do next.`;

function toolText({ name, title, description, kind, arguments: fields }: ToolReference): string[] {
  const rows = fields.map((field) => [`\`${field.name}\``, field.type, field.isRequired ? 'yes' : '', field.notes]);
  return [
    `### ${name}`,
    `**${title}.** ${description} ${kind}`,
    ...(rows.length > 0 ? [table(['Argument', 'Type', 'Required', 'Notes'], rows)] : []),
  ];
}
