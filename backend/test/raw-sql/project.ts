// The sources of the back end as the compiler sees them: syntax trees, and what their names and expressions are.
import { join, relative, resolve } from 'node:path'
import type { CallExpression, Node, SourceFile } from 'typescript/unstable/ast'
import { isArrowFunction, isCallExpression, isIdentifier, isParameterDeclaration } from 'typescript/unstable/ast/is'
import { API, type Checker, type Project, SymbolFlags } from 'typescript/unstable/async'

const HOME = resolve(import.meta.dir, '../..')

export interface Sources {
  readonly checker: Checker
  readonly files: readonly SourceFile[]
  /** Where the name at this node was declared. */
  declarationOf(name: Node): Promise<Node | undefined>
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
  const declared = new Map<Node, Promise<Node | undefined>>()
  const declarationOf = (name: Node) => {
    const known = declared.get(name) ?? findDeclaration(project, name)
    declared.set(name, known)
    return known
  }
  let calls: Promise<Map<Node, CallExpression[]>> | undefined
  return {
    checker: project.checker,
    files: sources,
    declarationOf,
    async callsOf(made) {
      calls ??= callsIn(sources, declarationOf)
      return (await calls).get(isArrowFunction(made) ? made.parent : made) ?? []
    },
    placeOf(node) {
      const file = node.getSourceFile()
      return `${relative(HOME, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`
    },
    close: () => api.close(),
  }
}

async function findDeclaration(project: Project, name: Node): Promise<Node | undefined> {
  const { checker } = project
  const found = await checker.getSymbolAtLocation(name)
  const symbol = found && found.flags & SymbolFlags.Alias ? await checker.getAliasedSymbol(found) : found
  return (symbol?.valueDeclaration ?? symbol?.declarations[0])?.resolve(project)
}

/** Every call of a function of ours, by the function's declaration. */
async function callsIn(
  files: readonly SourceFile[],
  declarationOf: Sources['declarationOf'],
): Promise<Map<Node, CallExpression[]>> {
  const calls = new Map<Node, CallExpression[]>()
  for (const call of files.flatMap(listNodes).filter(isCallExpression)) {
    if (!isIdentifier(call.expression)) continue
    const callee = await declarationOf(call.expression)
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
