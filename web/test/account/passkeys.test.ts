/** Passkeys offered where the name is entered. */

import { beforeEach, describe, expect, it, vi } from "vitest";

interface Browser {
  asked: number;
  answer: () => Promise<unknown>;
}

const browser = vi.hoisted((): Browser => {
  class FakeCredential {
    static isConditionalMediationAvailable = async () => true;
    static parseRequestOptionsFromJSON = (options: object) => options;
    toJSON = () => ({ id: "key" });
  }
  const browser: Browser = { asked: 0, answer: async () => new FakeCredential() };
  const credentials = { get: () => (browser.asked++, browser.answer()) };
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("location", { hostname: "localhost" });
  vi.stubGlobal("PublicKeyCredential", FakeCredential);
  vi.stubGlobal("navigator", { credentials });
  vi.stubGlobal("fetch", async () => new Response("{}"));
  return browser;
});

import { offerPasskeys } from "../../src/account/passkeys";

const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

describe("passkeys in the name field", () => {
  beforeEach(() => {
    browser.asked = 0;
  });

  it("start one session when the browser answers every question at once", async () => {
    const signedIn = vi.fn(async () => ({ name: "Ada" }));
    offerPasskeys(signedIn);
    await settled();
    expect(signedIn).toHaveBeenCalledTimes(1);
    expect(browser.asked).toBe(1);
  });

  it("are offered again after one that the server does not accept", async () => {
    const answers: object[] = [{ error: "passkey_failed" }, { name: "Ada" }];
    const signedIn = vi.fn(async () => answers.shift()!);
    offerPasskeys(signedIn);
    await settled();
    expect(signedIn).toHaveBeenCalledTimes(2);
  });

  it("sign nobody in after the form has gone", async () => {
    let answer: (found: unknown) => void = () => undefined;
    const credential = await browser.answer();
    browser.answer = () => new Promise((resolve) => (answer = resolve));
    const signedIn = vi.fn(async () => ({ name: "Ada" }));
    const stop = offerPasskeys(signedIn);
    await settled();
    expect(browser.asked).toBe(1);
    stop();
    answer(credential);
    await settled();
    expect(signedIn).not.toHaveBeenCalled();
  });
});
