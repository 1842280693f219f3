// The company's own colours as a style sheet: our page asks for it before it draws anything, so nothing ever blinks blue.
import type { Brand, BrandTokens } from '@balcao/contract'

/** Empty when the house's own colours are used. */
export function renderBrandCss(brand: Brand | null): string {
  if (!brand) return ''
  // One step more specific than the table of colours, wherever that is linked.
  return `:root:root{${declarations(brand.light)}}:root:root[data-theme="dark"]{${declarations(brand.dark)}}`
}

function declarations(tokens: BrandTokens): string {
  return Object.entries(tokens)
    .map(([name, color]) => `--b-${name}:${color}`)
    .join(';')
}
