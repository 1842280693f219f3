// What is inside, for machines: every package that is installed with the product or is part of its pages, with its version and licence,
// in the form of CycloneDX. `npm run sbom` prints it; `npm run sbom -- --licences` counts them by licence.
import { existsSync } from 'node:fs'
import { readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where a package is used. */
export type PackageUse = 'server' | 'pages' | 'terminal'

export interface Component {
  readonly name: string
  readonly version: string
  /** As the package says it, a name or an expression of SPDX; null when it says nothing. */
  readonly licence: string | null
  readonly uses: readonly PackageUse[]
  readonly needs: readonly string[]
}

/** Whose dependencies come to whom. */
const PARTS: readonly (readonly [folder: string, use: PackageUse])[] = [
  ['backend', 'server'],
  ['formats', 'server'],
  ['contract', 'server'],
  ['cli', 'terminal'],
  ['client', 'terminal'],
  ['ui', 'pages'],
  ['shell', 'pages'],
  ['mfe-tickets', 'pages'],
  ['mfe-admin', 'pages'],
  ['mfe-automation', 'pages'],
  ['mfe-dashboard', 'pages'],
]

interface PackageRecord {
  readonly name: string
  readonly version: string
  readonly licence: string | null
  readonly uses: Set<PackageUse>
  readonly needs: Set<string>
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: unknown
  readonly licenses?: unknown
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** Every package of others that the product of the checkout at `root` needs to run, sorted by name. */
export async function listComponents(root: string): Promise<Component[]> {
  const known = new Map<string, PackageRecord>()
  for (const [folder, use] of PARTS) {
    const home = join(root, folder)
    if (existsSync(join(home, 'package.json'))) await follow(known, home, await readManifest(home), use)
  }
  return [...known.values()]
    .map(({ uses, needs, ...rest }) => ({ ...rest, uses: [...uses].sort(), needs: [...needs].sort() }))
    .sort((one, other) => (toKey(one) < toKey(other) ? -1 : 1))
}

/** The document of CycloneDX 1.6. */
export function createBom(
  product: { readonly name: string; readonly version: string },
  components: readonly Component[],
) {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': toReference(product),
        name: product.name,
        version: product.version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: components.map(({ name, version, licence, uses }) => ({
      type: 'library',
      'bom-ref': toReference({ name, version }),
      name,
      version,
      purl: toReference({ name, version }),
      licenses: licence === null ? [] : [toLicenceEntry(licence)],
      properties: uses.map(use => ({ name: 'balcao:used-by', value: use })),
    })),
    dependencies: components.map(({ name, version, needs }) => ({
      ref: toReference({ name, version }),
      dependsOn: needs,
    })),
  }
}

async function follow(
  known: Map<string, PackageRecord>,
  home: string,
  manifest: Manifest,
  use: PackageUse,
): Promise<Set<string>> {
  const refs = new Set<string>()
  const wanted = { ...manifest.peerDependencies, ...manifest.optionalDependencies, ...manifest.dependencies }
  for (const name of Object.keys(wanted)) {
    const mayLack = manifest.peerDependenciesMeta?.[name]?.optional && !manifest.dependencies?.[name]
    if (mayLack) continue
    // What is optional and of another system, and what nobody brought, is not there.
    const folder = name.startsWith('@balcao/') ? null : await findFolder(home, name)
    if (folder === null) continue
    const own = await readManifest(folder)
    const ref = toReference(own)
    refs.add(ref)
    const before = known.get(ref)
    if (before?.uses.has(use)) continue
    const found = before ?? {
      name: own.name,
      version: own.version,
      licence: await findLicence(folder, own),
      uses: new Set(),
      needs: new Set(),
    }
    known.set(ref, found)
    found.uses.add(use)
    for (const need of await follow(known, folder, own, use)) found.needs.add(need)
  }
  return refs
}

/** Where a package finds another one, as the runtime looks for it. */
async function findFolder(from: string, name: string): Promise<string | null> {
  for (let at = await realpath(from); ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) return realpath(folder)
    if (at === dirname(at)) return null
  }
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
}

/** As the package says it; of one that only has the text, the name of what is known by its words. */
async function findLicence(folder: string, manifest: Manifest): Promise<string | null> {
  const said = readLicence(manifest)
  if (said !== null) return said
  const name = (await readdir(folder)).find(file => /^licen[cs]e/i.test(file))
  const text = name === undefined ? '' : await readFile(join(folder, name), 'utf8')
  return text.includes('Permission is hereby granted, free of charge') ? 'MIT' : null
}

function readLicence({ license, licenses }: Manifest): string | null {
  const said = license ?? licenses
  const names = (Array.isArray(said) ? said : [said]).flatMap(each => {
    const name: unknown = each !== null && typeof each === 'object' && 'type' in each ? each.type : each
    return typeof name === 'string' && name !== '' ? name : []
  })
  // The name by which SPDX knows it.
  return names.length > 0 ? names.join(' OR ').replaceAll('Apache 2.0', 'Apache-2.0') : null
}

function toLicenceEntry(licence: string) {
  return /[\s()]/.test(licence) ? { expression: licence } : { license: { id: licence } }
}

function toReference({ name, version }: { readonly name: string; readonly version: string }): string {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${version}`
}

function toKey({ name, version }: Component): string {
  return `${name} ${version}`
}

if (import.meta.main) {
  const root = join(import.meta.dir, '..')
  const components = await listComponents(root)
  if (process.argv.includes('--licences')) {
    const counted = Map.groupBy(components, ({ licence }) => licence ?? 'none said')
    for (const [licence, some] of [...counted].sort(([, one], [, other]) => other.length - one.length))
      console.log(
        `${String(some.length).padStart(5)}  ${licence}${some.length < 4 ? `: ${some.map(({ name }) => name).join(', ')}` : ''}`,
      )
  } else {
    const { name, version }: Manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    console.log(JSON.stringify(createBom({ name, version }, components), null, 2))
  }
}
