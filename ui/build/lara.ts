// PrimeReact's theme lara-light holds literal colours in its component rules. Here each is rewritten once, by property
// and colour, to one of our `--b-` variables, so that light and dark come from the same token table (look §9).
// A pair that nobody has mapped stops the build. Rules of components we do not use are dropped.
import type { AcceptedPlugin, AtRule, Declaration, Rule } from 'postcss'

/** The PrimeReact components that `ui/src/kit/parts` uses. Add here when a part starts to use another one. */
const USED = [
  'component',
  'disabled',
  'dropdown',
  'multiselect',
  'inputtext',
  'checkbox',
  'inputwrapper',
  'placeholder',
]
const OVERLAYS = /panel|overlay|menu|dialog|toast|items|header|filter/

type Family = 'color' | 'background' | 'border' | 'shadow'

const COLOURS: Record<Family, Record<string, string>> = {
  color: {
    '#4b5563': 'ink',
    '#374151': 'ink',
    '#1f2937': 'ink',
    '#6b7280': 'muted',
    '#9ca3af': 'muted',
    '#3b82f6': 'primary-text',
    '#1d4ed8': 'primary-text',
    '#fff': 'on-primary',
    '#e24c4c': 'danger',
    '#ef4444': 'danger',
  },
  background: {
    '#fff': 'surface',
    '#f9fafb': 'canvas',
    '#f3f4f6': 'hover',
    '#e5e7eb': 'sunken',
    '#eff6ff': 'primary-tint',
    '#3b82f6': 'primary',
    '#2563eb': 'primary-hover',
    '#1d4ed8': 'primary-active',
  },
  border: {
    '#e5e7eb': 'line',
    '#f3f4f6': 'line',
    '#d1d5db': 'line-strong',
    '#3b82f6': 'primary',
    '#2563eb': 'primary-hover',
    '#1d4ed8': 'primary-active',
    '#e24c4c': 'danger',
    '#fff': 'surface',
  },
  shadow: {
    '#bfdbfe': 'focus',
    '#f9c6c6': 'danger',
    '#e24c4c': 'danger',
    '#3b82f6': 'primary',
  },
}

/** The PostCSS plugin for `lara-light-blue/theme.css`: no fonts, our colours, only what is used. It already
 * stands in `@layer primereact`. */
export function createLaraTheme(): AcceptedPlugin {
  return {
    postcssPlugin: 'balcao-lara',
    Once(root) {
      const unmapped = new Set<string>()
      root.walkAtRules(/^(font-face|import)$/, rule => {
        rule.remove()
      })
      root.walkComments(comment => {
        comment.remove()
      })
      root.walkRules(rule => {
        if (isKeyframe(rule)) return
        rule.selectors = rule.selectors.filter(isUsed)
        if (rule.selectors.length === 0 || rule.selectors[0] === '') rule.remove()
        else rule.each(node => node.type === 'decl' && recolorDeclaration(node, rule, unmapped))
      })
      if (unmapped.size > 0) throw new Error(`PrimeReact theme, unmapped colours:\n${[...unmapped].sort().join('\n')}`)
    },
  }
}

function isUsed(selector: string) {
  const classes = selector.match(/\.p-[a-z]+/g)
  return (
    classes?.every(name => USED.includes(name.slice(3)) || /^\.p-(highlight|focus|invalid|icon|filled)$/.test(name)) ??
    false
  )
}

function isKeyframe(rule: Rule) {
  return rule.parent?.type === 'atrule' && (rule.parent as AtRule).name.endsWith('keyframes')
}

function recolorDeclaration(decl: Declaration, rule: Rule, unmapped: Set<string>) {
  if (decl.prop === 'font-family') {
    decl.value = 'inherit'
    return
  }
  const family = findColorFamily(decl.prop)
  const before = decl.value
  const value = before
    .replace(/\bwhite\b/g, '#fff')
    .replace(/rgba\(59, ?130, ?246, ?([\d.]+)\)/g, (_, a: string) => mixToken('primary', a))
    .replace(/rgba\(0, ?0, ?0, ?[\d.]+\)/g, 'var(--b-shadow-colour)')
    .replace(/rgba\(18, ?18, ?23, ?[\d.]+\)/g, 'transparent')
    .replace(/#[0-9a-f]{3,8}\b/gi, literal => {
      const colour = shorten(literal.toLowerCase())
      const token = family && COLOURS[family][colour]
      if (!token) {
        unmapped.add(`${decl.prop} ${colour} (${rule.selector.slice(0, 80)})`)
        return literal
      }
      const raised = token === 'surface' && family === 'background' && OVERLAYS.test(rule.selector)
      return `var(--b-${raised ? 'raised' : token})`
    })
  if (/rgba?\(/.test(value)) unmapped.add(`${decl.prop} ${value} (${rule.selector.slice(0, 80)})`)
  if (family === 'shadow' && /--b-(focus|primary)\)/.test(value)) {
    decl.replaceWith({ prop: 'outline', value: '2px solid var(--b-focus)' }, { prop: 'outline-offset', value: '2px' })
    return
  }
  decl.value = value
}

function findColorFamily(prop: string): Family | undefined {
  if (prop === 'color' || prop === 'fill') return 'color'
  if (prop.startsWith('background')) return 'background'
  if (prop.startsWith('border')) return 'border'
  if (prop === 'box-shadow' || prop.startsWith('outline')) return 'shadow'
  return undefined
}

const mixToken = (token: string, alpha: string) =>
  `color-mix(in srgb, var(--b-${token}) ${Number(alpha) * 100}%, transparent)`

function shorten(hex: string) {
  const match = hex.match(/^#(.)\1(.)\2(.)\3$/)
  return match ? `#${match[1]}${match[2]}${match[3]}` : hex
}
