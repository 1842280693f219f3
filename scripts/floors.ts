// The areas of ARCHITECTURE.md: what a file may import of its own package. Nobody imports from an area further down this list, and no
// files import one another in a circle.

/** A floor: its name, and the folders (`tickets/`) and files (`live/append`) on it. The closest name decides. */
type Floors = readonly (readonly [name: string, parts: readonly string[]])[]

export const FLOORS: Record<string, Floors> = {
  backend: [
    ['platform', ['platform/', 'platform/live/table', 'backend/package.json']],
    ['tables', ['*/table']],
    ['policy', ['policy/']],
    ['desk', ['desk/']],
    ['messaging', ['messaging/']],
    ['insight', ['insight/']],
    ['operations', ['operations/']],
    ['app', ['app/', 'main']],
  ],
}

export interface WrongWay {
  readonly file: string
  readonly imports: string
  readonly why: string
}

/** All imports that go up a floor and all circles in one package; `imports` says what each file of it imports, by its path in `src`. */
export function findWrongWays(home: string, imports: ReadonlyMap<string, readonly string[]>): WrongWay[] {
  const floors = FLOORS[home]
  const up = floors
    ? [...imports].flatMap(([file, targets]) =>
        targets.flatMap(target => {
          const [from, to] = [findFloor(floors, file), findFloor(floors, target)]
          return from < to
            ? [{ file, imports: target, why: `${floors[from]?.[0]} must not know ${floors[to]?.[0]}` }]
            : []
        }),
      )
    : []
  return [
    ...up,
    ...findImportCycles(imports).map(circle => ({
      file: circle[0] ?? '',
      imports: circle.slice(1).join(', '),
      why: 'these import one another in a circle',
    })),
  ]
}

function findFloor(floors: Floors, file: string): number {
  const name = file.replace(/\.tsx?$/, '')
  const best = floors
    .flatMap(([, parts], floor) => parts.map(part => ({ floor, weight: computeWeight(part, name) })))
    .reduce((one, other) => (other.weight > one.weight ? other : one))
  if (best.weight === 0) throw new Error(`${file} stands on no floor: put it into an area`)
  return best.floor
}

/** How closely a part names a file: the file itself, its name in any folder, its folder; 0 for not at all. */
function computeWeight(part: string, name: string): number {
  if (part === name) return 3
  if (part.startsWith('*/')) return name.endsWith(part.slice(1)) ? 2 : 0
  return part.endsWith('/') && name.startsWith(part) ? 1 : 0
}

/** Sets of files that all reach one another (Tarjan's strongly connected components). */
export function findImportCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []
  const visit = (file: string): number => {
    const at = order.size
    order.set(file, at)
    let low = at
    path.push(file)
    for (const target of imports.get(file) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target))
      else if (path.includes(target)) low = Math.min(low, lowest.get(target) ?? order.get(target) ?? low)
    }
    lowest.set(file, low)
    if (low < at) return low
    const circle = path.splice(path.indexOf(file))
    if (circle.length > 1) found.push(circle.sort())
    return low
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return found
}
