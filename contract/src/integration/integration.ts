// The panel of another program beside the conversation (spec 1 §2, setting uriIframe).

/** The address of the setting as one that a frame may show, or null: nothing but http and https is. */
export function parseIntegrationAddress(setting: string): URL | null {
  const text = setting.trim()
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  return url.username === '' && url.password === '' ? url : null
}
