// What a browser needs to install the desk as an app: its name is the company's, so it is made at run time.
import type { Config } from '../config.ts'

/** The Web App Manifest. */
export function buildWebManifest({ product, company }: Pick<Config, 'product' | 'company'>): object {
  const icon = (size: number, purpose: string, name = `icon-${size}`) => ({
    src: `/icons/${name}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  return {
    id: '/',
    name: company === product ? product : `${product} · ${company}`,
    short_name: product,
    lang: 'pt-BR',
    dir: 'ltr',
    start_url: '/tickets',
    scope: '/',
    display: 'standalone',
    theme_color: '#EFECE6',
    background_color: '#EFECE6',
    icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable', 'maskable-512')],
  }
}
