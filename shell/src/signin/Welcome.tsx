import { useTexts } from '@balcao/ui/i18n'
import { Logo, TilePattern } from '@balcao/ui/parts'
import { useSession } from '@balcao/ui/session'

/** The blue half beside the form: what the product is, in two bubbles and a sentence. */
export function Welcome() {
  const t = useTexts('shell')
  const { product } = useSession()
  return (
    <aside className="s-welcome">
      <TilePattern tile={120} line="#24345E" className="s-welcome-tiles" />
      <p className="s-welcome-name">
        <Logo size={36} />
        {product}
      </p>
      <p className="s-welcome-bubble">{t('signin.customer')}</p>
      <p className="s-welcome-bubble is-ours">{t('signin.answer')}</p>
      <p className="s-welcome-slogan">{t('signin.slogan')}</p>
      <p className="s-welcome-promise">{t('signin.promise')}</p>
    </aside>
  )
}
