/** The language of the page. */

import { chooseLanguage, language, texts } from "../../i18n/language";
import { LANGUAGES, type Language } from "../../i18n/languages";
import { Section } from "../controls/Section";
import { Segmented } from "../controls/Segmented";

const OPTIONS = (Object.keys(LANGUAGES) as Language[]).map((tag) => ({ value: tag, label: LANGUAGES[tag].name, lang: tag }));

export function LanguageSection() {
  const title = texts.value.language;
  return (
    <Section title={title}>
      <Segmented label={title} value={language} options={OPTIONS} onChange={chooseLanguage} />
    </Section>
  );
}
