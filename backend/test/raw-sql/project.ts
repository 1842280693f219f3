// The sources of the back end as the compiler sees them: syntax trees, and what their names and expressions are.
import { join, relative, resolve } from 'node:path'
import type { CallExpression, Node, SourceFile } from 'typescript/unstable/ast'
import { isArrowFunction, isCallExpression, isIdentifier, isParameterDeclaration } from 'typescript/unstable/ast/is'
import {
  API,
  type Checker,
  type Symbol as Named,
  type Project,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/async'

const HOME = resolve(import.meta.dir, '../..')

export interface Sources {
  readonly checker: Checker
  readonly files: readonly SourceFile[]
  /** Where the name at this node was declared. */
  declarationOf(name: Node): Promise<Node | undefined>
  /** The type of an expression as it is written; undefined: it has none. */
  typeNameOf(expression: Node): Promise<string | undefined>
  /** The same of many, which are asked about at once. */
  typeNamesOf(expressions: readonly Node[]): Promise<(string | undefined)[]>
  /** Every call of a function, by its name. */
  callsOf(made: Node): Promise<readonly CallExpression[]>
  /** File and line, for who has to mend something. */
  placeOf(node: Node): string
  close(): Promise<void>
}

/** Opens `backend/src`, and the statements that are wrong on purpose. */
export async function openSources(): Promise<Sources> {
  const api = new API({ cwd: HOME })
  const config = join(import.meta.dir, 'tsconfig.json')
  const project = (await api.updateSnapshot({ openProjects: [config] })).getProject(config)
  if (!project) throw new Error(`No project in ${config}`)
  const files = await Promise.all(project.rootFiles.map(name => project.program.getSourceFile(name)))
  const sources = files.flatMap(file => file ?? [])
  const { checker } = project
  const declarationOfSymbol = keepAnswers((symbol: Named) => findDeclaration(project, symbol))
  const declarationOf = keepAnswers(async (name: Node) => {
    const symbol = await checker.getSymbolAtLocation(name)
    return symbol && declarationOfSymbol(symbol)
  })
  const nameType = keepAnswers((type: Type) => checker.typeToString(type))
  const typeNameOf = keepAnswers(async (expression: Node) => {
    const type = await checker.getTypeAtLocation(expression)
    return type && nameType(type)
  })
  let calls: Promise<Map<Node, CallExpression[]>> | undefined
  return {
    checker,
    files: sources,
    declarationOf,
    typeNameOf,
    async typeNamesOf(expressions) {
      const types = await checker.getTypeAtLocation(expressions)
      return Promise.all(types.map(type => type && nameType(type)))
    },
    async callsOf(made) {
      calls ??= callsIn(sources, checker, declarationOfSymbol)
      return (await calls).get(isArrowFunction(made) ? made.parent : made) ?? []
    },
    placeOf(node) {
      const file = node.getSourceFile()
      return `${relative(HOME, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`
    },
    close: () => api.close(),
  }
}

/** Each question to the compiler is one to another process: none is put twice. */
export function keepAnswers<Subject, Answer>(ask: (subject: Subject) => Promise<Answer>): typeof ask {
  const answers = new Map<Subject, Promise<Answer>>()
  return subject => {
    const answer = answers.get(subject) ?? ask(subject)
    answers.set(subject, answer)
    return answer
  }
}

async function findDeclaration(project: Project, found: Named): Promise<Node | undefined> {
  const symbol = found.flags & SymbolFlags.Alias ? await project.checker.getAliasedSymbol(found) : found
  return (symbol.valueDeclaration ?? symbol.declarations[0])?.resolve(project)
}

/** Every call of a function of ours, by the function's declaration. */
async function callsIn(
  files: readonly SourceFile[],
  checker: Checker,
  declarationOf: (symbol: Named) => Promise<Node | undefined>,
): Promise<Map<Node, CallExpression[]>> {
  const calls = new Map<Node, CallExpression[]>()
  const named = files
    .flatMap(listNodes)
    .filter(isCallExpression)
    .filter(call => isIdentifier(call.expression))
  const symbols = await checker.getSymbolAtLocation(named.map(call => call.expression))
  for (const [at, call] of named.entries()) {
    const symbol = symbols[at]
    const callee = symbol && (await declarationOf(symbol))
    if (callee && !isParameterDeclaration(callee)) calls.set(callee, [...(calls.get(callee) ?? []), call])
  }
  return calls
}

/** A node and everything below it. */
export function listNodes(node: Node): Node[] {
  const found: Node[] = [node]
  node.forEachChild(child => {
    found.push(...listNodes(child))
    return undefined
  })
  return found
}
