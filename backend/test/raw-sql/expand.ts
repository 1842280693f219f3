// The text of a statement, put together from its template and the fragments that stand in it, as it would be sent. A fragment that is
// chosen while the program runs gives a variant for each choice; a loop over fragments gives each of them once.
import type {
  ArrowFunction,
  CallExpression,
  FunctionDeclaration,
  Node,
  ParameterDeclaration,
  TaggedTemplateExpression,
} from 'typescript/unstable/ast'
import { SyntaxKind } from 'typescript/unstable/ast'
import {
  isArrayBindingPattern,
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isFunctionDeclaration,
  isIdentifier,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSpreadElement,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { MAY_BE_NULL } from './describe.ts'
import type { Sources } from './project.ts'

/** What parameters stand for, by their declaration. */
export type CallBindings = ReadonlyMap<Node, readonly Value[]>
/** An expression with what the parameters in it stand for. */
interface Value {
  readonly node: Node
  readonly given: CallBindings
}

export const NOTHING: CallBindings = new Map()
/** Stands for a parameter of the statement until they are numbered. */
const PARAMETER = '\u0001'
const DEEPEST = 60

export class CannotFollow extends Error {}

/** A text with the templates it was made of. */
export interface Text {
  readonly text: string
  readonly parts: ReadonlySet<Node>
}

/** Which way choices go: with fragments that belong together, going all ways at once would mix what never comes together. */
type Way = 'both' | 'true' | 'false'

export interface Expander {
  /** Variants of a statement, with numbered parameters: some may never be sent, but each part is in one that is. */
  variantsOf(statement: TaggedTemplateExpression, bindings?: CallBindings): Promise<Text[]>
  /** The templates that were found to be parts of others. */
  readonly parts: ReadonlySet<Node>
  bind(call: CallExpression, made: ArrowFunction | FunctionDeclaration, bindings: CallBindings): CallBindings
}

export function createExpander({ typeNameOf, declarationOf, callsOf }: Sources): Expander {
  const parts = new Set<Node>()
  let depth = 0
  let way: Way = 'both'

  async function textsOf(template: TaggedTemplateExpression, bindings: CallBindings): Promise<Text[]> {
    const { template: body } = template
    if (!isTemplateExpression(body)) return [{ text: body.text, parts: new Set([template]) }]
    const spans = [...body.templateSpans]
    const holes = await each(spans, async span => [await holeOf(span.expression, bindings)])
    return Array.from({ length: Math.max(1, ...holes.map(hole => hole.length)) }, (_, n) => {
      const filled = holes.map(hole => hole[Math.min(n, hole.length - 1)] ?? plain(''))
      return {
        text: spans.reduce((text, span, at) => text + filled[at]?.text + span.literal.text, body.head.text),
        parts: new Set([template, ...filled.flatMap(one => [...one.parts])]),
      }
    })
  }

  /** What may stand in one place of a template. */
  async function holeOf(expression: Node, bindings: CallBindings): Promise<Text[]> {
    const name = (await typeNameOf(expression)) ?? 'any'
    if (/^(boolean|true|false)$/.test(name)) return [plain(`${PARAMETER}::boolean`)]
    if (!/PendingQuery|Fragment|Helper/.test(name))
      return [plain(/\b(null|any|unknown)\b/.test(name) ? PARAMETER + MAY_BE_NULL : PARAMETER)]
    const ends = await endsOf(expression, bindings)
    return each(ends, fragmentOf)
  }

  async function fragmentOf({ node, given }: Value): Promise<Text[]> {
    if (isTaggedTemplateExpression(node)) {
      parts.add(node)
      return textsOf(node, given)
    }
    if (node.kind === SyntaxKind.NullKeyword) return [plain(PARAMETER + MAY_BE_NULL)]
    const [argument] = isCallExpression(node) ? node.arguments : []
    if (!argument) throw new CannotFollow(node.getText())
    const ends = await endsOf(argument, given)
    return ends.map(end => {
      // `sql('t')` is a name, `sql([...])` a list of values.
      if (isStringLiteral(end.node)) return plain(end.node.text)
      if (isArrayLiteralExpression(end.node)) return plain(`(${PARAMETER})`)
      throw new CannotFollow(node.getText())
    })
  }

  /** Where an expression comes from, through names, choices and calls. */
  async function endsOf(node: Node, bindings: CallBindings): Promise<Value[]> {
    if (depth > DEEPEST) throw new CannotFollow(node.getText())
    depth++
    try {
      if (isParenthesizedExpression(node) || isAsExpression(node)) return await endsOf(node.expression, bindings)
      if (isConditionalExpression(node)) {
        const never = await isNull(node.condition, bindings)
        return [
          ...(way === 'false' || never ? [] : await endsOf(node.whenTrue, bindings)),
          ...(way === 'true' && !never ? [] : await endsOf(node.whenFalse, bindings)),
        ]
      }
      if (isIdentifier(node)) return await endsOfName(node, bindings)
      if (isCallExpression(node)) return await endsOfCall(node, bindings)
      return [{ node, given: bindings }]
    } finally {
      depth--
    }
  }

  async function endsOfName(name: Node, bindings: CallBindings): Promise<Value[]> {
    const declaration = await declarationOf(name)
    if (!declaration) return [{ node: name, given: bindings }]
    if (isParameterDeclaration(declaration)) {
      const values = bindings.get(declaration) ?? (await givenByCallers(declaration))
      return endsOfAll(values)
    }
    if (isVariableDeclaration(declaration) && declaration.initializer) return endsOf(declaration.initializer, bindings)
    if (isBindingElement(declaration) && isArrayBindingPattern(declaration.parent)) {
      const pattern = declaration.parent.parent
      if (isVariableDeclaration(pattern) && pattern.initializer)
        return endsOfAll(await elementsOf(pattern.initializer, bindings))
    }
    return [{ node: declaration, given: bindings }]
  }

  /** Whether a condition is a field of a parameter for which the caller gives null. */
  async function isNull(condition: Node, bindings: CallBindings): Promise<boolean> {
    const declaration = isIdentifier(condition) ? await declarationOf(condition) : undefined
    const parameter = declaration?.parent.parent
    if (!declaration || !isBindingElement(declaration) || !parameter || !isParameterDeclaration(parameter)) return false
    const objects = await endsOfAll(bindings.get(parameter) ?? [])
    return (
      objects.length > 0 &&
      objects.every(
        ({ node }) =>
          isObjectLiteralExpression(node) &&
          node.properties.some(
            one =>
              isPropertyAssignment(one) &&
              one.name.getText() === declaration.name?.getText() &&
              one.initializer.kind === SyntaxKind.NullKeyword,
          ),
      )
    )
  }

  async function givenByCallers(parameter: ParameterDeclaration): Promise<Value[]> {
    const owner = parameter.parent
    if (!isFunctionDeclaration(owner) && !isArrowFunction(owner)) return []
    const at = owner.parameters.indexOf(parameter)
    const calls = await callsOf(owner)
    const fallback = owner.parameters[at]?.initializer
    return calls.flatMap(call => {
      const node = call.arguments[at] ?? fallback
      return node ? [{ node, given: NOTHING }] : []
    })
  }

  async function endsOfCall(call: CallExpression, bindings: CallBindings): Promise<Value[]> {
    if (isPropertyAccessExpression(call.expression)) {
      const [callback] = call.arguments
      if (call.expression.name.text !== 'reduce' || !callback || !isArrowFunction(callback))
        return [{ node: call, given: bindings }]
      // Of one element, and of two.
      const elements = await elementsOf(call.expression.expression, bindings)
      const inside = new Map([...bindings, ...callback.parameters.map(parameter => [parameter, elements] as const)])
      return [...(await endsOfAll(elements)), ...returnsOf(callback).map(node => ({ node, given: inside }))]
    }
    const made = await endsOf(call.expression, bindings)
    return each(made, async ({ node, given: around }) => {
      if (!isFunctionDeclaration(node) && !isArrowFunction(node)) return [{ node: call, given: bindings }]
      const inside = new Map([...around, ...bind(call, node, bindings)])
      return endsOfAll(returnsOf(node).map(result => ({ node: result, given: inside })))
    })
  }

  function endsOfAll(values: readonly Value[]): Promise<Value[]> {
    return each(values, value => endsOf(value.node, value.given))
  }

  /** The elements of a list, each once. */
  async function elementsOf(list: Node, bindings: CallBindings): Promise<Value[]> {
    const declaration = isIdentifier(list) ? await declarationOf(list) : undefined
    if (declaration && isBindingElement(declaration) && isVariableDeclaration(declaration.parent.parent)) {
      const { initializer } = declaration.parent.parent
      if (initializer) return elementsOf(initializer, bindings)
    }
    return each(await endsOf(list, bindings), elementsOfEnd)
  }

  async function elementsOfEnd({ node, given }: Value): Promise<Value[]> {
    if (isArrayLiteralExpression(node))
      return each(node.elements, async one =>
        isSpreadElement(one) ? elementsOf(one.expression, given) : [{ node: one, given }],
      )
    if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return []
    const [callback] = node.arguments
    const list = node.expression.expression
    if (!/^(flatMap|map)$/.test(node.expression.name.text)) return elementsOf(list, given)
    if (!callback || !isArrowFunction(callback)) return []
    const [element] = callback.parameters
    const elements = element ? await elementsOf(list, given) : []
    const inside = new Map([...given, ...(element ? [[element, elements] as const] : [])])
    const results = returnsOf(callback).map(result => ({ node: result, given: inside }))
    if (node.expression.name.text === 'map') return results
    return each(results, result => elementsOf(result.node, result.given))
  }

  return {
    parts,
    bind,
    async variantsOf(statement, bindings = NOTHING) {
      const found = new Map<string, Text>()
      for (way of ['both', 'true', 'false'] as const)
        for (const { text, parts } of await textsOf(statement, bindings)) {
          let n = 0
          const numbered = text.replaceAll(PARAMETER, () => `$${++n}`).trim()
          found.set(numbered, { text: numbered, parts: new Set([...parts, ...(found.get(numbered)?.parts ?? [])]) })
        }
      return [...found.values()]
    },
  }
}

function plain(text: string): Text {
  return { text, parts: new Set() }
}

function bind(call: CallExpression, made: ArrowFunction | FunctionDeclaration, bindings: CallBindings): CallBindings {
  return new Map(
    made.parameters.map((parameter, at) => {
      const argument = call.arguments[at]
      return [
        parameter,
        argument
          ? [{ node: argument, given: bindings }]
          : parameter.initializer
            ? [{ node: parameter.initializer, given: NOTHING }]
            : [],
      ]
    }),
  )
}

/** One after the other, so that the depth of a loop without an end is seen. */
async function each<T, Result>(all: Iterable<T>, work: (one: T) => Promise<readonly Result[]>): Promise<Result[]> {
  const found: Result[] = []
  for (const one of all) found.push(...(await work(one)))
  return found
}

/** What a function may give back. */
function returnsOf(made: ArrowFunction | FunctionDeclaration): Node[] {
  const { body } = made
  if (!body) return []
  if (!isBlock(body)) return [body]
  return outside(body).flatMap(node => (isReturnStatement(node) && node.expression ? [node.expression] : []))
}

/** A node and everything below it, without what functions in it contain. */
function outside(node: Node): Node[] {
  const found: Node[] = [node]
  node.forEachChild(child => {
    if (!isArrowFunction(child) && !isFunctionDeclaration(child)) found.push(...outside(child))
    return undefined
  })
  return found
}
