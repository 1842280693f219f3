import type { Chunk, ChunkGroup, Compiler } from '@rspack/core'

/**
 * Writes `first-load.json`: every script and style the shell's page fetches by itself, that is all chunks but those that
 * only lazily loaded parts need.
 */
export class FirstLoadPlugin {
  apply(compiler: Compiler) {
    compiler.hooks.thisCompilation.tap('first-load', compilation => {
      compilation.hooks.processAssets.tap(
        { name: 'first-load', stage: compiler.rspack.Compilation.PROCESS_ASSETS_STAGE_REPORT },
        () => {
          const files = new Set<string>()
          const seen = new Set<string>()
          for (const chunk of compilation.chunks) {
            // A shared module may stand in two chunks for two ways to it; the browser fetches one of them.
            const modules = compilation.chunkGraph.getChunkModules(chunk)
            const content = modules
              .map(module => module.identifier())
              .sort()
              .join()
            if (!isFirst(chunk) || (content !== '' && seen.has(content))) continue
            seen.add(content)
            for (const file of chunk.files) files.add(file)
          }
          const wanted = [...files].filter(file => /\.(js|css)$/.test(file) && !/remoteEntry/.test(file)).sort()
          compilation.emitAsset('first-load.json', new compiler.rspack.sources.RawSource(JSON.stringify(wanted)))
        },
      )
    })
  }
}

/** Lazily loaded parts name their chunk `lazy-…`; what only such parts need, their texts among it, is not part of the first load. */
function isFirst(chunk: Chunk) {
  return [...chunk.groupsIterable].some(group => isFirstLoad(group))
}

function isFirstLoad(group: ChunkGroup, below: readonly string[] = []): boolean {
  if (group.name?.startsWith('lazy-')) return false
  if (group.isInitial()) return true
  const files = group.getFiles().join()
  // Groups may need each other.
  return !below.includes(files) && group.getParents().some(parent => isFirstLoad(parent, [...below, files]))
}
