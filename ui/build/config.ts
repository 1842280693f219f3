// The one rspack configuration behind the shell and every remote.
//   shell/rspack.config.ts:        export default createShellConfig(import.meta.dirname)
//   mfe-tickets/rspack.config.ts:  export default createRemoteConfig(import.meta.dirname, { name: 'mfe_tickets' })
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type Configuration, rspack } from '@rspack/core'
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh'
import { FirstLoadPlugin } from './first-load.ts'
import { ManifestPlugin } from './manifest.ts'
import { createThemePlugins } from './postcss.ts'
import { remoteShared, shellShared } from './sharing.ts'

const require = createRequire(import.meta.url)
export const repoRoot = path.resolve(import.meta.dirname, '../..')

export interface BuildMode {
  /** Set by `dev.ts`: the port of this package's own dev server. Absent in a build. */
  readonly devPort?: number
}

export type ConfigMaker = (mode: BuildMode) => Configuration

/** The host: `src/main.ts` starts it, `src/index.html` is its page. */
export function createShellConfig(root: string): ConfigMaker {
  return mode => ({
    ...createBaseConfig(root, 'shell', mode),
    entry: { main: path.join(root, 'src/main.ts') },
    plugins: [
      ...createBasePlugins(mode),
      new rspack.container.ModuleFederationPluginV1({ shared: shellShared }),
      new rspack.HtmlRspackPlugin({
        template: path.join(root, 'src/index.html'),
        publicPath: '/',
        scriptLoading: 'defer',
      }),
      new FirstLoadPlugin(),
    ],
  })
}

/**
 * A remote: exposes `src/App.tsx` as `./App`. Its Tailwind classes come from `src/styles.css` if there is one, else from
 * `ui/src/kit/remote.css`, and hold only inside its own area (`data-remote`), whatever other remotes load.
 */
export function createRemoteConfig(root: string, options: { readonly name: string }): ConfigMaker {
  const ownStyles = path.join(root, 'src/styles.css')
  const styles = existsSync(ownStyles) ? ownStyles : path.join(repoRoot, 'ui/src/kit/remote.css')
  return mode => ({
    ...createBaseConfig(root, options.name, mode),
    entry: {},
    plugins: [
      ...createBasePlugins(mode),
      new rspack.container.ModuleFederationPluginV1({
        name: options.name,
        filename: mode.devPort ? 'remoteEntry.js' : 'assets/remoteEntry.[contenthash:8].js',
        exposes: { './App': { import: [styles, path.join(root, 'src/App.tsx')], name: 'app' } },
        shared: remoteShared,
      }),
      new ManifestPlugin(options.name),
    ],
  })
}

function createBaseConfig(root: string, name: string, { devPort }: BuildMode): Configuration {
  const dev = devPort !== undefined
  const refresh = { transform: { react: { runtime: 'automatic' as const, development: dev, refresh: dev } } }
  return {
    name,
    // The repository root for all, so that module ids are unique over shell and remotes (React Refresh needs that).
    context: repoRoot,
    mode: dev ? 'development' : 'production',
    target: ['web', 'es2022'],
    devtool: dev ? 'cheap-module-source-map' : 'hidden-source-map',
    output: {
      path: path.join(root, 'dist'),
      // What open tabs still ask for stays (`former.ts`).
      clean: false,
      publicPath: dev ? `http://127.0.0.1:${devPort}/` : 'auto',
      uniqueName: name,
      filename: dev ? '[name].js' : 'assets/[name].[contenthash:8].js',
      chunkFilename: dev ? '[name].js' : 'assets/[name].[contenthash:8].js',
      cssFilename: dev ? '[name].css' : 'assets/[name].[contenthash:8].css',
      cssChunkFilename: dev ? '[name].css' : 'assets/[name].[contenthash:8].css',
      assetModuleFilename: 'assets/[name].[contenthash:8][ext]',
    },
    resolve: {
      extensions: ['.tsx', '.ts', '.jsx', '.js'],
      alias: { 'react-refresh-real': path.dirname(require.resolve('react-refresh/package.json')) },
    },
    module: {
      rules: [
        {
          test: /\.[jt]sx?$/,
          exclude: /node_modules/,
          loader: 'builtin:swc-loader',
          options: {
            jsc: { parser: { syntax: 'typescript', tsx: true }, externalHelpers: true, target: 'es2022', ...refresh },
          },
          type: 'javascript/auto',
        },
        { test: /node_modules[\\/].*\.m?js$/, resolve: { fullySpecified: false } },
        // Not marked by their authors; without this Tremor and recharts come whole.
        {
          test: /node_modules[\\/](@tremor[\\/]react|recharts|@headlessui[\\/]react|date-fns)[\\/]/,
          sideEffects: false,
        },
        {
          test: /\.css$/,
          type: 'css',
          use: [
            {
              loader: require.resolve('postcss-loader'),
              options: {
                postcssOptions: (context: { resourcePath: string }) => ({
                  plugins: createThemePlugins(context.resourcePath, root, name, dev),
                }),
              },
            },
          ],
        },
        { test: /\.(svg|png|webp|woff2|mp3|ogg)$/, type: 'asset/resource' },
      ],
    },
    optimization: {
      runtimeChunk: false,
      moduleIds: dev ? 'named' : 'deterministic',
      splitChunks: { chunks: 'async', cacheGroups: makeChunkGroups(name) },
    },
    performance: false,
    stats: 'errors-warnings',
  }
}

function makeChunkGroups(name: string) {
  const group = (chunk: string, test: RegExp) => ({ name: chunk, test, enforce: true, priority: 10 })
  if (name !== 'shell') return undefined
  return {
    react: group('v-react', /node_modules[\\/](react|react-dom|scheduler)[\\/]/),
    router: group('v-router', /node_modules[\\/](react-router|react-router-dom)[\\/]/),
    i18n: group('v-i18n', /node_modules[\\/]i18next[\\/]/),
    // What draws an icon, and those that both show, once: the singletons and the page each had it. The others stay with whoever shows them.
    icon: group(
      'v-icon',
      /node_modules[\\/]lucide-react[\\/]dist[\\/]esm[\\/](?!icons[\\/](?!(check|info|rotate-cw|search)\.))/,
    ),
    // What the first page needs of every singleton: a chunk for each way to them had the settings' table three times, and our texts twice.
    desk: group(
      'v-desk',
      /[\\/](contract[\\/]src[\\/](settings[\\/]settings|calendar[\\/]zoned-time|kit[\\/]language|sessions[\\/]cookies)\.ts|ui[\\/]locales[\\/]pt\.json|(client|ui)[\\/]src[\\/](session|api|live|i18n|actions|browser|router|error|index)\b)/,
    ),
  }
}

function createBasePlugins({ devPort }: BuildMode) {
  if (devPort === undefined) return []
  return [
    new ReactRefreshRspackPlugin(),
    // One refresh runtime for shell and remotes, else an edit in a remote arrives but does not show.
    new rspack.NormalModuleReplacementPlugin(
      /^react-refresh\/runtime$/,
      path.join(import.meta.dirname, 'refresh-shim.cjs'),
    ),
  ]
}
