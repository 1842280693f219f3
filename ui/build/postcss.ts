// What happens to every style sheet: Tailwind, the rewriting of PrimeReact's theme, and the scoping of remotes' classes.
import tailwind from '@tailwindcss/postcss'
import type { AcceptedPlugin, AtRule, Container, Document, Rule } from 'postcss'
import { createLaraTheme } from './lara.ts'

/** The PostCSS plugins for one file of package `name`, whose sources lie under `root`. */
export function createThemePlugins(file: string, root: string, name: string, dev: boolean): AcceptedPlugin[] {
  if (/lara-light-blue[\\/]theme\.css$/.test(file)) return [createLaraTheme()]
  const plugins: AcceptedPlugin[] = [tailwind({ base: root, optimize: !dev })]
  if (name !== 'shell') plugins.push(scopeUtilities(name))
  return plugins
}

/**
 * Puts `:where([data-remote="name"])` before each utility. All remotes' sheets stay in the page; without this a later
 * sheet's `.hidden` would beat an earlier one's `.lg:flex`. `:where` adds no weight.
 */
function scopeUtilities(name: string): AcceptedPlugin {
  return {
    postcssPlugin: 'balcao-scope-utilities',
    OnceExit(root) {
      root.walkAtRules('layer', layer => {
        if (layer.params !== 'utilities') return
        layer.walkRules(rule => {
          if (isNested(rule) || isInKeyframes(rule)) return
          rule.selectors = rule.selectors.map(selector => `:where([data-remote="${name}"]) ${selector}`)
        })
      })
    },
  }
}

function isNested(rule: Rule) {
  for (let up: Container | Document | undefined = rule.parent; up; up = up.parent) if (up.type === 'rule') return true
  return false
}

function isInKeyframes(rule: Rule) {
  return rule.parent?.type === 'atrule' && (rule.parent as AtRule).name.endsWith('keyframes')
}
