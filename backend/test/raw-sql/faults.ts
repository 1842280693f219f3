// Compares what the sources say of the rows of their statements with what Postgres says.
import { toSnakeCase } from 'drizzle-orm/casing'
import type { Node, TaggedTemplateExpression } from 'typescript/unstable/ast'
import { isFunctionDeclaration, isTaggedTemplateExpression, isTemplateExpression } from 'typescript/unstable/ast/is'
import { type Checker, type Type, TypeFlags } from 'typescript/unstable/async'
import type { Describer, ResultColumn, Sort } from './describe.ts'
import { type CallBindings, CannotFollow, createExpander, type Expander, NOTHING, type Text } from './expand.ts'
import { listNodes, type Sources } from './project.ts'

interface Field {
  readonly name: string
  readonly sort: Sort | 'any'
  readonly isList: boolean
  readonly mayBeNull: boolean
}

/** A statement as it is written, for each type its rows are said to have (null: none). */
interface Statement {
  readonly node: TaggedTemplateExpression
  readonly given: CallBindings
  readonly rows: Type | null
}

/** What is wrong with the statements of a folder, with file and line. */
export async function findStatementFaults(sources: Sources, describer: Describer, folder: string): Promise<string[]> {
  const templates = (await templatesOf(sources, OF_THE_DRIVER)).filter(node => sources.placeOf(node).startsWith(folder))
  const expand = createExpander(sources)
  const faults: string[] = []
  const texts = new Map<Statement, readonly Text[]>()
  for (const node of templates)
    for (const statement of await statementsOf(sources, expand, node))
      try {
        texts.set(statement, await expand.variantsOf(node, statement.given))
      } catch (error) {
        if (!(error instanceof CannotFollow)) throw error
        faults.push(`${sources.placeOf(node)} cannot be followed at ${error.message}`)
      }
  for (const [{ node, rows }, variants] of texts) {
    if (expand.parts.has(node)) continue
    const found = new Set<string>()
    const refused: (Text & { readonly why: unknown })[] = []
    const taken = new Set<Node>()
    const fields = rows && (await fieldsOf(sources.checker, rows))
    for (const variant of variants)
      try {
        const columns = await describer.columnsOf(variant.text)
        for (const part of variant.parts) taken.add(part)
        for (const fault of faultsOfRows(columns, fields)) found.add(fault)
      } catch (why) {
        refused.push({ ...variant, why })
      }
    // A part that is taken in one variant is right; in another it stood beside what it never comes with.
    const wrong = refused.find(variant => [...variant.parts].some(part => !taken.has(part)))
    if (wrong) found.add(`is refused: ${wrong.why}\n${wrong.text}`)
    for (const fault of found) faults.push(`${sources.placeOf(node)} ${fault}`)
  }
  return faults
}

function faultsOfRows(columns: readonly ResultColumn[], fields: readonly Field[] | null): string[] {
  if (!fields)
    return columns.filter(column => !isForNobody(column)).map(column => `does not say what "${column.name}" is`)
  return fields.flatMap(field => {
    const column = columns.findLast(one => one.name === field.name)
    if (!column) return [`has no column "${field.name}"`]
    return differences(field, column)
  })
}

/** `select 1`, or a function that is called for what it does. */
function isForNobody({ name, sort }: ResultColumn): boolean {
  return sort === 'nothing' || /^(\?column\?|set_config|add_job)$/.test(name)
}

function differences(field: Field, column: ResultColumn): string[] {
  const found: string[] = []
  if (field.sort !== 'any' && column.sort !== 'json' && (field.sort !== column.sort || field.isList !== column.isList))
    found.push(
      `"${field.name}" is ${column.sort}${column.isList ? '[]' : ''}, not ${field.sort}${field.isList ? '[]' : ''}`,
    )
  if (field.sort !== 'any' && column.mayBeNull && !field.mayBeNull) found.push(`"${field.name}" may be null`)
  return found
}

/**
 * What is wrong with the expressions that stand inside queries of the builder: each is read as a column of the tables it names. Tables
 * themselves are left out, as their conditions stand in the migrations.
 */
export async function findExpressionFaults(sources: Sources, describer: Describer, folder: string): Promise<string[]> {
  const { checker } = sources
  const faults: string[] = []
  for (const node of await templatesOf(sources, OF_THE_BUILDER)) {
    const place = sources.placeOf(node)
    const text = await expressionOf(checker, node)
    if (!place.startsWith(folder) || /\/table\.ts:/.test(place) || text === null) continue
    try {
      const [column] = await describer.columnsOf(`select (${text}) as it ${describer.tablesIn(text)}`)
      const [written] = node.typeArguments ?? []
      const type = written && (await checker.getTypeFromTypeNode(written))
      if (column && type)
        for (const fault of differences({ name: 'it', ...(await kindOf(checker, type)) }, column))
          faults.push(`${place} ${fault}`)
    } catch (why) {
      faults.push(`${place} is refused: ${why}\n${text}`)
    }
  }
  return faults
}

/** Its text, with the names of the columns in it; null where a column is given by a caller. */
async function expressionOf(checker: Checker, { template }: TaggedTemplateExpression): Promise<string | null> {
  if (!isTemplateExpression(template)) return template.text
  let text = template.head.text
  let parameters = 0
  for (const { expression, literal } of template.templateSpans) {
    const type = await checker.getTypeAtLocation(expression)
    const name = type ? await checker.typeToString(type, undefined, WHOLE) : ''
    const [, column, table] = /^PgColumn<.*?\bname: "(\w+)";.*?\btableName: "(\w+)";/s.exec(name) ?? []
    if (/^(Column|SQL)\b/.test(name)) return null
    text += `${column && table ? `"${table}"."${toSnakeCase(column)}"` : `$${++parameters}`}${literal.text}`
  }
  return text
}

const WHOLE = 1
const OF_THE_DRIVER = /\bI?Sql<|^Sql|TransactionSql|ReservedSql/
const OF_THE_BUILDER = /^typeof sql$/

/** Every template with such a tag. */
async function templatesOf({ files, typeNamesOf }: Sources, tag: RegExp): Promise<TaggedTemplateExpression[]> {
  const all = files.flatMap(file => listNodes(file).filter(isTaggedTemplateExpression))
  const types = await typeNamesOf(all.map(node => node.tag))
  return all.filter((_, at) => tag.test(types[at] ?? ''))
}

/** One for each type of row: where a function runs statements for others, its callers say the type. */
async function statementsOf(sources: Sources, expand: Expander, node: TaggedTemplateExpression): Promise<Statement[]> {
  const { checker } = sources
  const [written] = node.typeArguments ?? []
  if (!written) return [{ node, given: NOTHING, rows: null }]
  const list = await checker.getTypeFromTypeNode(written)
  const rows = list && (await elementOf(checker, list))
  if (!rows) throw new Error(`${sources.placeOf(node)}: no list of rows`)
  if (!(rows.flags & TypeFlags.TypeParameter)) return [{ node, given: NOTHING, rows }]
  const owner = functionAround(node)
  const calls = owner ? await sources.callsOf(owner) : []
  const found: Statement[] = []
  for (const call of calls) {
    const [typeNode] = call.typeArguments ?? []
    const type = typeNode && (await checker.getTypeFromTypeNode(typeNode))
    if (owner && type) found.push({ node, given: expand.bind(call, owner, NOTHING), rows: type })
  }
  return found
}

function functionAround(node: Node) {
  for (let at = node.parent; at; at = at.parent) if (isFunctionDeclaration(at)) return at
  return undefined
}

async function elementOf(checker: Checker, list: Type): Promise<Type | undefined> {
  return list.isTypeReference() ? (await checker.getTypeArguments(list))[0] : undefined
}

async function fieldsOf(checker: Checker, rows: Type): Promise<Field[]> {
  const properties = await checker.getPropertiesOfType(rows)
  const types = await checker.getTypeOfSymbol(properties)
  return Promise.all(
    properties.map(async ({ name }, at) => {
      const type = types[at]
      return {
        name,
        ...(type ? await kindOf(checker, type) : { sort: 'any' as const, isList: false, mayBeNull: true }),
      }
    }),
  )
}

async function kindOf(checker: Checker, type: Type): Promise<Omit<Field, 'name'>> {
  const all = type.isUnionType() ? await type.getTypes() : [type]
  const mayBeNull = all.some(one => one.flags & (TypeFlags.Null | TypeFlags.AnyOrUnknown))
  const [first] = all.filter(one => !(one.flags & TypeFlags.Nullable))
  if (!first || first.flags & TypeFlags.AnyOrUnknown) return { sort: 'any', isList: false, mayBeNull }
  const element = (await checker.isArrayType(first)) ? await elementOf(checker, first) : undefined
  return element
    ? { sort: (await kindOf(checker, element)).sort, isList: true, mayBeNull }
    : { sort: sortOf(first), isList: false, mayBeNull }
}

function sortOf({ flags }: Type): Sort {
  if (flags & TypeFlags.StringLike) return 'string'
  if (flags & TypeFlags.NumberLike) return 'number'
  if (flags & TypeFlags.BooleanLike) return 'boolean'
  return 'json'
}
