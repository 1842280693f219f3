// What Postgres says of a statement without running it: the columns of its rows, of which type, and which of them may be null.
import postgres from 'postgres'

/** As the driver hands it over: numbers of eight bytes, decimals and instants are text. */
export type Sort = 'number' | 'string' | 'boolean' | 'json' | 'nothing'

export interface ResultColumn {
  readonly name: string
  readonly sort: Sort
  readonly isList: boolean
  readonly mayBeNull: boolean
}

interface PlanNode {
  readonly 'Join Type'?: string
  readonly 'Parent Relationship'?: string
  readonly 'Relation Name'?: string
  readonly 'Subplan Name'?: string
  readonly Strategy?: string
  readonly 'Group Key'?: readonly string[]
  readonly Alias?: string
  readonly Output?: readonly string[]
  readonly Filter?: string
  readonly 'Hash Cond'?: string
  readonly 'Merge Cond'?: string
  readonly 'Join Filter'?: string
  readonly Plans?: readonly PlanNode[]
}

/** What a plan tells of the relations in it, by the names they have there. */
interface Facts {
  readonly tables: ReadonlyMap<string, string>
  /** An outer join may have no row of theirs. */
  readonly empty: ReadonlySet<string>
  /** Columns that may be null, with their table. */
  readonly optional: ReadonlySet<string>
  /** Columns, with the name of their relation here, in which a condition leaves no null. */
  readonly required: ReadonlySet<string>
  /** Subqueries that always give one row, which is not null. */
  readonly certain: ReadonlySet<string>
  /** Parameters that may be null. */
  readonly nulls: ReadonlySet<number>
}

/** Stands behind a parameter that may be null. */
export const MAY_BE_NULL = '/*null*/'
const NULLABLE = /\$(\d+)\/\*null\*\//g

export interface Describer {
  columnsOf(statement: string): Promise<readonly ResultColumn[]>
  /** The `from` of the tables whose columns an expression names in full. */
  tablesIn(expression: string): string
  close(): Promise<void>
}

/** Of the database of a test. */
export async function openDescriber(url: string): Promise<Describer> {
  // Without indexes a plan tells every condition.
  const sql = postgres(url, {
    max: 1,
    types: {},
    connection: { enable_indexscan: 'off', enable_indexonlyscan: 'off', enable_bitmapscan: 'off' },
  })
  const columns = await sql<{ oid: number; number: number; name: string; required: boolean }[]>`
    select c.oid, a.attnum as number, c.relname || '.' || a.attname as name, a.attnotnull as required
    from pg_attribute a join pg_class c on c.oid = a.attrelid where a.attnum > 0`
  const types = await sql<
    { oid: number; element: number }[]
  >`select oid, typelem as element from pg_type where typcategory = 'A'`
  const optional = new Set(columns.flatMap(column => (column.required ? [] : column.name)))
  const requiredAt = new Set(columns.flatMap(column => (column.required ? `${column.oid}.${column.number}` : [])))
  const elements = new Map(types.map(type => [type.oid, type.element]))

  return {
    async columnsOf(statement) {
      const found = (await sql.unsafe(statement).describe()).columns
      if (found.length === 0 || !/^(select|with|insert|update|delete)/i.test(statement))
        return found.map(column => columnOf(column, false))
      const plan = await planOf(sql, statement)
      const facts = factsOf(plan, statement, optional)
      return found.map((column, at) => {
        const expression = withNames(plan.Output?.[at] ?? 'null', facts)
        const [, alias = '', name = ''] = /^\(?"?(\w+)"?\."?(\w+)"?\)?$/.exec(expression) ?? []
        if (facts.tables.get(alias)) return columnOf(column, mayBeEmpty(alias, name, facts))
        // Out of a subquery: where the column comes from is known, not which of its relations that is.
        if (column.table > 0) {
          const mayBe = [...facts.empty].some(one => facts.tables.get(one) === tableOf(column.table) || one === alias)
          return columnOf(column, mayBe || !requiredAt.has(`${column.table}.${column.number}`))
        }
        return columnOf(column, mayGiveNull(expression, facts))
      })
    },
    tablesIn(expression) {
      const named = [...expression.matchAll(/"?\b(\w+)"?\."?\w+/g)].flatMap(([, name]) => name ?? [])
      const found = new Set(named.filter(name => columns.some(column => column.name.startsWith(`${name}.`))))
      return found.size > 0 ? `from ${[...found].map(name => `"${name}"`).join(', ')}` : ''
    },
    close: () => sql.end({ timeout: 5 }),
  }

  function columnOf({ name, type }: postgres.Column<string>, mayBeNull: boolean): ResultColumn {
    const element = elements.get(type)
    return { name, sort: sortOf(element ?? type), isList: element !== undefined, mayBeNull }
  }

  function tableOf(oid: number): string {
    return columns.find(column => column.oid === oid)?.name.split('.')[0] ?? ''
  }
}

async function planOf(sql: postgres.Sql, statement: string): Promise<PlanNode> {
  const [row] = await sql.unsafe<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
    `explain (generic_plan, verbose, format json) ${statement}`,
  )
  const plan = row?.['QUERY PLAN'][0]?.Plan
  if (!plan) throw new Error(`No plan for ${statement}`)
  return plan
}

function factsOf(plan: PlanNode, statement: string, optional: ReadonlySet<string>): Facts {
  const empty = new Set<string>()
  const tables = new Map<string, string>()
  const required = new Set<string>()
  const nodes: PlanNode[] = []
  visit(plan, false)
  const nulls = new Set([...statement.matchAll(NULLABLE)].map(match => Number(match[1])))
  const facts = { tables, empty, optional, required, certain: new Set<string>(), nulls }
  // One that counts comes before those that use it.
  for (const { 'Subplan Name': name, Strategy, 'Group Key': keys, Output } of nodes.reverse())
    if (name && Strategy === 'Plain' && !keys && !mayGiveNull(Output?.[0] ?? 'null', facts))
      facts.certain.add(name.replace(/^\w+ /, '').replace(/ .*/, ''))
  return facts

  function visit(node: PlanNode, isEmptied: boolean): void {
    nodes.push(node)
    const { Alias: alias } = node
    if (alias) {
      tables.set(alias, node['Relation Name'] ?? '')
      if (isEmptied) empty.add(alias)
      if (node.Filter && !/ OR /.test(node.Filter))
        for (const [, column] of node.Filter.matchAll(REQUIRING)) required.add(`${alias} ${column}`)
    }
    if (!isEmptied && node['Join Type'] === 'Inner')
      for (const condition of [node['Hash Cond'], node['Merge Cond'], node['Join Filter']])
        for (const side of (condition ?? '').matchAll(JOINED))
          required.add(`${side[1]} ${side[2]}`).add(`${side[3]} ${side[4]}`)
    for (const child of node.Plans ?? []) visit(child, isEmptied || isOptional(node, child))
  }
}

/** A comparison that no null passes. */
const REQUIRING = /\((?:\w+\.)?(\w+)(?: ->> '\w+'::text\))? (?:=|<|>|<=|>=|IS NOT NULL)/g
const JOINED = /\((\w+)\.(\w+) = (\w+)\.(\w+)\)/g

/** Whether a join keeps rows of its other side that have nothing on this one. */
function isOptional({ 'Join Type': join }: PlanNode, child: PlanNode): boolean {
  const side = child['Parent Relationship']
  return join === 'Full' || (join === 'Left' && side === 'Inner') || (join === 'Right' && side === 'Outer')
}

function mayBeEmpty(alias: string, column: string, { empty, tables, optional, required }: Facts): boolean {
  return empty.has(alias) || (optional.has(`${tables.get(alias)}.${column}`) && !required.has(`${alias} ${column}`))
}

/** Of a single relation the columns stand alone: with its name, as with several. */
function withNames(expression: string, { tables, optional }: Facts): string {
  const [only, ...others] = tables
  if (!only || others.length > 0 || expression.includes('.')) return expression
  const [alias, table] = only
  return expression.replaceAll(/\w+/g, name => (optional.has(`${table}.${name}`) ? `${alias}.${name}` : name))
}

/** Of an expression that is no column: certain only where nothing in it can give null. */
function mayGiveNull(expression: string, facts: Facts): boolean {
  const text = withoutCertain(expression, facts)
  if (UNSURE.test(text)) return !isCertainCase(text, facts)
  for (const [whole, alias = '', name = ''] of text.matchAll(/"?(\w+)"?\."?(\w+)"?/g))
    if (facts.tables.has(alias) && mayBeEmpty(alias, name, facts) && !expression.includes(`(${whole} IS NULL)`))
      return true
  return [...text.matchAll(/\$(\d+)/g)].some(([, n]) => facts.nulls.has(Number(n)))
}

/** What gives null even of what is certain. */
const UNSURE = /\b(null|nullif|case|max|min|sum|avg|subplan|initplan|\w+_agg|lag|lead|first_value)\b|->/i
/** Never null, whatever stands in it; or not, where one of its arguments is certain. */
const CERTAIN = /\b(?:(exists|array|count|json_build_object|jsonb_build_object)|(coalesce|least|greatest))\(/gi

/** An expression with a constant for each part of it that is never null. */
function withoutCertain(expression: string, facts: Facts): string {
  let text = expression
    .replaceAll(/'(?:[^']|'')*'/g, '0')
    .replaceAll(/::"?[a-z_ ]+"?(\(\d+\))?(\[\])?/g, '')
    // `exists` may be planned so.
    .replaceAll(/ANY \((?:[^\s(]+ = \(hashed SubPlan \d+\)\.col1|\(.*?\(hashed SubPlan \d+\)\.col2\))\)/g, '0')
  text = text.replaceAll(/\((?:SubPlan|InitPlan) (\w+)\)(?:\.col1)?/g, (whole, name) =>
    facts.certain.has(name) ? '0' : whole,
  )
  for (const { index, 0: head, 1: always } of [...text.matchAll(CERTAIN)].reverse()) {
    const start = index + head.length
    const inside = insideOf(text, start)
    const isCertain = always !== undefined || splitArguments(inside).some(one => !mayGiveNull(one, facts))
    text = `${text.slice(0, index)}${isCertain ? '0' : 'null'}${text.slice(start + inside.length + 1)}`
  }
  return text.replaceAll(/\([^()]* IS (NOT )?(NULL|TRUE|FALSE|DISTINCT FROM [^()]*)\)/g, '0')
}

/** A `case` whose every result is certain, the last one too. */
function isCertainCase(text: string, facts: Facts): boolean {
  const body = /^\(*case (.*) end\)*$/i.exec(text)?.[1]
  if (body === undefined || /\bcase\b/i.test(body) || !/ else /i.test(body)) return false
  const results = [...body.matchAll(/\b(?:then|else) (.*?)(?= when | else |$)/gi)]
  return results.every(([, result = 'null']) => !mayGiveNull(result, facts))
}

/** From an opening bracket to the one that closes it. */
function insideOf(text: string, start: number): string {
  let depth = 1
  let end = start
  for (; end < text.length; end++) {
    if (text[end] === '(') depth++
    if (text[end] === ')' && --depth === 0) break
  }
  return text.slice(start, end)
}

function splitArguments(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let start = 0
  for (const [at, sign] of [...text].entries()) {
    if (sign === '(') depth++
    if (sign === ')') depth--
    if (sign !== ',' || depth > 0) continue
    found.push(text.slice(start, at))
    start = at + 1
  }
  return [...found, text.slice(start)]
}

function sortOf(type: number): Sort {
  switch (type) {
    case 16:
      return 'boolean'
    case 21:
    case 23:
    case 26:
    case 700:
    case 701:
      return 'number'
    case 114:
    case 3802:
      return 'json'
    case 2278:
      return 'nothing'
    default:
      return 'string'
  }
}
