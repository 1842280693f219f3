import { changeLanguage, getLanguage, LANGUAGES, type Language, useTexts } from '@balcao/ui/i18n'

/** Each language under its own name. */
export const LANGUAGE_NAMES: Record<Language, string> = { pt: 'Português', en: 'English', es: 'Español' }

/** The three languages in a row, at the foot of the sign-in page. */
export function LanguageRow() {
  const t = useTexts('shell')
  return (
    <fieldset className="s-languages">
      <legend className="b-only-read">{t('signin.language')}</legend>
      {LANGUAGES.map(language => (
        <button
          key={language}
          type="button"
          lang={language}
          aria-pressed={language === getLanguage()}
          onClick={() => void changeLanguage(language)}
        >
          {LANGUAGE_NAMES[language]}
        </button>
      ))}
    </fieldset>
  )
}
