// Under a text: what the page behind its address says of itself. The site is the one the link leads to, whatever the title claims.
import type { LinkPreview } from '@balcao/contract'
import { toSafeHref } from '@balcao/contract/messages/whatsapp-text'

export function LinkCard({ link: { address, title, text, thumb } }: { readonly link: LinkPreview }) {
  const href = toSafeHref(address)
  if (!href) return null
  return (
    <a className="m-link-card" href={href} target="_blank" rel="noopener noreferrer nofollow">
      {thumb?.startsWith('data:image/') && <img src={thumb} alt="" />}
      <span className="m-link-words">
        <bdi className="m-link-title">{title}</bdi>
        {text && <bdi>{text}</bdi>}
        <bdi className="m-link-site">{new URL(href).hostname.replace(/^www\./, '')}</bdi>
      </span>
    </a>
  )
}
