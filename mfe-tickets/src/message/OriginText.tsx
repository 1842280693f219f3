import '../conversation/texts.ts'
import type { MessageOrigin } from '@balcao/contract'
import { toSafeHref } from '@balcao/contract/messages/whatsapp-text'
import { useTexts } from '@balcao/ui/i18n'

/** 'Veio do anúncio: Cestas de Natal · instagram.com' */
export function OriginText({ origin: { kind, title, link } }: { readonly origin: MessageOrigin }) {
  const t = useTexts('tickets')
  const href = link ? toSafeHref(link) : null
  return (
    <span className="m-origin">
      {title ? t(`origin.${kind}`, { title }) : t(`origin.bare.${kind}`)}
      {href && (
        <>
          {' · '}
          <a href={href} target="_blank" rel="noopener noreferrer nofollow">
            {new URL(href).hostname.replace(/^www\./, '')}
          </a>
        </>
      )}
    </span>
  )
}
