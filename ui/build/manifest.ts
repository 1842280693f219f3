import type { Compiler } from '@rspack/core'

/**
 * Writes `mf-manifest.json` at an address that stays: where a remote begins, under which name it is found then, and what its App
 * needs, so that the shell fetches all at once. In the form of module federation, which hosts with its whole runtime read, too.
 */
export class ManifestPlugin {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  apply(compiler: Compiler) {
    compiler.hooks.thisCompilation.tap('manifest', compilation => {
      compilation.hooks.processAssets.tap(
        { name: 'manifest', stage: compiler.rspack.Compilation.PROCESS_ASSETS_STAGE_REPORT },
        () => {
          const listFiles = (chunk: string, ending: string) =>
            [...(compilation.namedChunks.get(chunk)?.groupsIterable ?? [])]
              .flatMap(group => group.getFiles())
              .filter(file => file.endsWith(ending))
          const [entry] = listFiles(this.name, '.js')
          if (!entry) throw new Error(`${this.name} has no entry`)
          const assets = {
            js: { sync: listFiles('app', '.js'), async: [] },
            css: { sync: listFiles('app', '.css'), async: [] },
          }
          const manifest = {
            id: this.name,
            name: this.name,
            metaData: {
              name: this.name,
              globalName: this.name,
              publicPath: 'auto',
              buildInfo: {},
              types: {},
              remoteEntry: { name: entry, path: '', type: 'global' },
            },
            shared: [],
            remotes: [],
            exposes: [{ id: `${this.name}:App`, name: 'App', path: './App', assets }],
          }
          compilation.emitAsset('mf-manifest.json', new compiler.rspack.sources.RawSource(JSON.stringify(manifest)))
        },
      )
    })
  }
}
