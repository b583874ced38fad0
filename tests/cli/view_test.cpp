// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "server/client.hpp"
#include "small_characters.hpp"
#include "source_directory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace supple::testing {
namespace {

namespace fs = std::filesystem;
using io::testing::Json;
using server::testing::Client;
using server::testing::get;
using server::testing::Received;
using server::testing::request;

constexpr const char* kShinSettings =
    "[[object]]\nname = \"shin\"\nbone = \"Leg\"\nelements = 400\nmodes = 3\n";

/// A character, its flesh and a page that could be the viewer's.
struct Stage {
  Stage() {
    fs::create_directory(directory / "viewer");
    directory.write("viewer/index.html", "<!doctype html><title>viewer</title>");
    viewer = directory.path("viewer");
    glb = directory.write("hero.glb", glb_text(tube_character()));
  }
  void bake() const {
    const std::string toml = directory.write("hero.bake.toml", kShinSettings);
    const Outcome outcome =
        supple({"bake", glb, "-c", toml, "-o", directory.path("soft.glb"), "-q"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
  TemporaryDirectory directory;
  std::string viewer;
  std::string glb;
};

/// `supple view` while it runs.
class Viewing {
 public:
  Viewing(const Stage& stage, const Arguments& arguments) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) ADD_FAILURE() << "no pipe";
    Arguments words{built_program().string(), "view",     "--json",
                    "--no-browser",           "--viewer", stage.viewer};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    m_child = ::fork();
    if (m_child == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::execv(argv[0], argv.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    std::string line;
    for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
    ::close(ends[0]);
    const Json told = Json::parse(line, nullptr, false);
    if (!told.is_object()) {
      ADD_FAILURE() << "it says '" << line << "'";
      return;
    }
    port = told.at("port");
    EXPECT_EQ(told.at("address"), fmt::format("http://127.0.0.1:{}/", port));
  }
  ~Viewing() { (void)interrupt(); }
  Viewing(const Viewing&) = delete;
  Viewing& operator=(const Viewing&) = delete;

  /// Ctrl-C; the exit status.
  int interrupt() {
    if (m_child <= 0) return -1;
    ::kill(m_child, SIGINT);
    int status = 0;
    ::waitpid(m_child, &status, 0);
    m_child = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  [[nodiscard]] Received ask(std::string_view target) const {
    return request(port, get(port, target));
  }
  [[nodiscard]] Json manifest() const {
    return Json::parse(ask("/manifest.json").body, nullptr, false);
  }
  [[nodiscard]] Received put(const std::string& target, const std::string& body) const {
    return send("PUT", target, body);
  }
  [[nodiscard]] Received send(const char* method, const std::string& target,
                              const std::string& body) const {
    const std::string token = manifest().at("live").at("token");
    return request(port, fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n"
                                     "X-Supple-Token: {}\r\nContent-Length: {}\r\n\r\n{}",
                                     method, target, port, token, body.size(), body));
  }

  std::uint16_t port = 0;

 private:
  pid_t m_child = 0;
};

TEST(View, ServesACharacterWithWhatLiesBesideIt) {
  const Stage stage;
  stage.bake();
  stage.directory.write("soft.toml", kShinSettings);
  Viewing viewing(stage, {stage.directory.path("soft.glb")});
  EXPECT_NE(viewing.ask("/").body.find("viewer"), std::string::npos);
  const Json manifest = viewing.manifest();
  EXPECT_EQ(manifest.at("version"), 1);
  EXPECT_EQ(manifest.at("gallery"), false);
  ASSERT_EQ(manifest.at("items").size(), 1U);
  const Json& item = manifest.at("items")[0];
  EXPECT_EQ(item.at("id"), "soft");
  const auto served = [&](const char* key) {
    return viewing.ask(fmt::format("/{}", item.at(key).get<std::string>())).body;
  };
  EXPECT_TRUE(served("character") == stage.directory.read("soft.glb"));
  EXPECT_TRUE(served("flesh") == stage.directory.read("soft.supple"));
  EXPECT_EQ(served("settings"), kShinSettings);
  for (const char* target : {"/files/hero.glb", "/hero.glb", "/files/", "/soft.glb"}) {
    EXPECT_EQ(viewing.ask(target).status, 404) << target;
  }
  EXPECT_EQ(viewing.interrupt(), 0);
}

TEST(View, WithoutFilesWaitsForThem) {
  const Stage stage;
  const Viewing viewing(stage, {});
  EXPECT_EQ(viewing.ask("/").status, 200);
  EXPECT_TRUE(viewing.manifest().at("items").empty());
}

TEST(View, EditsSettingsAndKeepsTheirComments) {
  const Stage stage;
  const Viewing viewing(stage, {});
  const std::string address =
      fmt::format("/{}", viewing.manifest().at("live").at("edit").get<std::string>());
  const auto edit = [&](const Json& body) { return viewing.send("POST", address, body.dump()); };
  const std::string text = "# mine\n[[object]]\nbone = \"a\" # that one\nmodes = 3\n";
  const Received read = edit({{"settings", text}});
  ASSERT_EQ(read.status, 200) << read.body;
  Json values = Json::parse(read.body).at("values");
  EXPECT_EQ(Json::parse(read.body).at("settings"), text);
  EXPECT_EQ(values.at("object")[0].at("name"), "a");
  EXPECT_EQ(values.at("object")[0].at("damping"), Json({{"ratio", 0.2}}));
  values["object"][0]["modes"] = 4;
  values["object"][0]["damping"]["ratio"] = 0.5;
  const Json changed = Json::parse(edit({{"settings", text}, {"values", values}}).body);
  EXPECT_EQ(changed.at("settings"),
            "# mine\n[[object]]\ndamping = {ratio = 0.5}\nbone = \"a\" # that one\nmodes = 4\n");
  const Json fresh = Json::parse(edit({{"settings", nullptr}, {"values", values}}).body);
  EXPECT_NE(fresh.at("settings").get<std::string>().find("modes = 4"), std::string::npos);
  values["object"][0]["modes"] = 0;
  const Received refused = edit({{"settings", text}, {"values", values}});
  EXPECT_EQ(refused.status, 400);
  EXPECT_NE(refused.body.find("object 'a': modes is 0; it must be from 1 to 1000"),
            std::string::npos)
      << refused.body;
  EXPECT_EQ(edit({{"settings", "modes = 1"}}).status, 400);
  EXPECT_EQ(edit({{"settings", 3}}).status, 400);
  EXPECT_EQ(edit({}).status, 400);
  EXPECT_EQ(viewing.send("POST", address, "[").status, 400);
}

TEST(View, SavesSettingsThatABakeWouldRead) {
  const Stage stage;
  const Viewing viewing(stage, {stage.glb});
  EXPECT_EQ(viewing.put("/api/settings/hero", kShinSettings).status, 200);
  EXPECT_EQ(stage.directory.read("hero.bake.toml"), kShinSettings);
  const Received bad = viewing.put("/api/settings/hero", std::string(kShinSettings) + "bnoe = 1\n");
  EXPECT_EQ(bad.status, 400);
  EXPECT_NE(bad.body.find("bnoe"), std::string::npos) << bad.body;
  EXPECT_EQ(viewing.put("/api/settings/hero", "= nonsense").status, 400);
  EXPECT_EQ(viewing.put("/api/settings/other", kShinSettings).status, 404);
  EXPECT_EQ(viewing.put("/api/settings/", kShinSettings).status, 404);
  EXPECT_EQ(viewing.put("/api/settings/../hero", kShinSettings).status, 400);
  EXPECT_EQ(viewing.put("/files/hero.glb", "x").status, 405);
  EXPECT_EQ(stage.directory.read("hero.bake.toml"), kShinSettings);
  EXPECT_EQ(stage.directory.list(),
            (std::vector<std::string>{"hero.bake.toml", "hero.glb", "viewer"}));
}

TEST(View, SavesSettingsOfShellsAsAShellToml) {
  const Stage stage;
  const std::string obj =
      stage.directory.write("flag.obj",
                            "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 0 1\nv 1 0 1\nv 2 0 1\n"
                            "f 1 4 5\nf 1 5 2\nf 2 5 6\nf 2 6 3\n");
  const Outcome baked =
      supple({"shell", obj, "--modes", "2", "-o", stage.directory.path("flag.glb"), "-q"});
  ASSERT_EQ(baked.status, 0) << baked.err;
  const Viewing viewing(stage, {stage.directory.path("flag.glb")});
  const std::string toml = "[export]\nrate = 30\n[[shell]]\nmodes = 2\n";
  EXPECT_EQ(viewing.put("/api/settings/flag", kShinSettings).status, 400) << "of 'supple bake'";
  ASSERT_EQ(viewing.put("/api/settings/flag", toml).status, 200);
  EXPECT_EQ(stage.directory.read("flag.shell.toml"), toml);
  const auto edit = [&](const Json& body) {
    return viewing.send("POST", "/api/edit", body.dump());
  };
  const Received read = edit({{"command", "shell"}, {"settings", toml}});
  ASSERT_EQ(read.status, 200) << read.body;
  EXPECT_EQ(Json::parse(read.body).at("values").at("export").at("rate"), 30);
  EXPECT_EQ(edit({{"command", "bake"}, {"settings", toml}}).status, 400);
  EXPECT_EQ(edit({{"command", "fly"}, {"settings", toml}}).status, 400);
}

TEST(View, NamesSettingsOnceTheyAreSaved) {
  const Stage stage;
  const Viewing viewing(stage, {stage.glb});
  EXPECT_FALSE(viewing.manifest().at("items")[0].contains("settings"));
  EXPECT_EQ(viewing.ask("/files/hero.toml").status, 404);
  EXPECT_EQ(viewing.ask("/manifest.jsonx").status, 404);
  ASSERT_EQ(viewing.put("/api/settings/hero", kShinSettings).status, 200);
  const std::string address = viewing.manifest().at("items")[0].at("settings");
  EXPECT_EQ(viewing.ask("/" + address).body, kShinSettings);
}

TEST(View, SavesOverNothingButAPlainFileThatMayBeWritten) {
  const Stage stage;
  const fs::path place = stage.directory / "hero.bake.toml";
  stage.directory.write("other.toml", "# mine\n");
  Viewing viewing(stage, {stage.glb});
  EXPECT_EQ(viewing.put("/api/settings/hero", "").status, 400);
  ASSERT_EQ(::mkfifo(place.c_str(), 0600), 0);  // opening it would wait for ever
  EXPECT_EQ(viewing.put("/api/settings/hero", kShinSettings).status, 409);
  fs::remove(place);
  fs::create_symlink("other.toml", place);
  EXPECT_EQ(viewing.put("/api/settings/hero", kShinSettings).status, 409);
  EXPECT_EQ(stage.directory.read("other.toml"), "# mine\n");
  fs::remove(place);
  stage.directory.write("hero.bake.toml", "# protected\n");
  fs::permissions(place, fs::perms::owner_read);
  EXPECT_EQ(viewing.put("/api/settings/hero", kShinSettings).status, 409);
  EXPECT_EQ(stage.directory.read("hero.bake.toml"), "# protected\n");
  fs::permissions(place, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(viewing.put("/api/settings/hero", kShinSettings).status, 200);
  EXPECT_EQ(fs::status(place).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(viewing.interrupt(), 0);
}

TEST(View, SavesThroughALinkThatWasNamed) {
  const Stage stage;
  stage.directory.write("other.toml", "# mine\n");
  fs::create_symlink("other.toml", stage.directory / "hero.bake.toml");
  const Viewing viewing(stage, {stage.glb});
  EXPECT_EQ(viewing.put("/api/settings/hero", kShinSettings).status, 200);
  EXPECT_EQ(stage.directory.read("other.toml"), kShinSettings);
  EXPECT_TRUE(fs::is_symlink(stage.directory / "hero.bake.toml"));
}

TEST(View, TellsOfChangesAndSaysGoodbye) {
  const Stage stage;
  Viewing viewing(stage, {stage.glb});
  Client client(viewing.port);
  client.send(get(viewing.port, "/api/events"));
  (void)client.receive_until("\r\n\r\n");
  stage.directory.write("hero.glb", glb_text(tube_character()) + "    ");
  const std::string changed = "event: changed\ndata: {\"id\":\"hero\"}\n\n";
  EXPECT_NE(client.receive_until(changed).find(changed), std::string::npos);
  EXPECT_EQ(viewing.put("/api/settings/hero", kShinSettings).status, 200);
  EXPECT_EQ(viewing.interrupt(), 0);
  const std::string all = client.receive_all();
  EXPECT_TRUE(all.ends_with(changed + "event: bye\ndata: {}\n\n")) << all;
}

TEST(View, PacksACharacterOfSeveralFiles) {
  const Stage stage;
  const HandMade hero = tube_character();
  Json json = hero.json;
  json["buffers"][0]["uri"] = "hero.bin";
  stage.directory.write("hero.gltf", json.dump());
  stage.directory.write("hero.bin", std::string(as_text(hero.binary)));
  fs::remove(stage.glb);
  Viewing viewing(stage, {stage.directory.path("hero.gltf")});
  const Received packed = viewing.ask("/files/hero.glb");
  EXPECT_EQ(packed.status, 200);
  EXPECT_EQ(packed.fields.at("content-type"), "model/gltf-binary");
  EXPECT_EQ(packed.body.substr(0, 4), "glTF");
  EXPECT_EQ(packed.body.find("hero.bin"), std::string::npos);
  EXPECT_EQ(viewing.ask("/files/hero.bin").status, 404);
  for (const char* name : {"hero.bin", "hero.gltf"}) {  // pipes, whose writers never come
    fs::remove(stage.directory / name);
    ASSERT_EQ(::mkfifo((stage.directory / name).c_str(), 0600), 0);
    EXPECT_EQ(viewing.ask("/files/hero.glb").status, 500) << name;
  }
  EXPECT_EQ(viewing.interrupt(), 0);
}

TEST(View, RefusesFleshOfAnotherMesh) {
  const Stage stage;
  stage.bake();
  fs::copy(stage.directory / "soft.supple", stage.directory / "wide.supple");
  const std::string glb = stage.directory.write("wide.glb", glb_text(sheet_character()));
  for (const Arguments& files : {Arguments{glb}, Arguments{stage.directory.path("wide.supple")}}) {
    Arguments words{"view", "--viewer", stage.viewer};
    words.insert(words.end(), files.begin(), files.end());
    const Outcome outcome = supple(words);
    EXPECT_EQ(outcome.status, 3);
    EXPECT_NE(outcome.err.find("a different mesh"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("wide.glb"), std::string::npos) << outcome.err;
  }
}

TEST(View, ExportsAFolderOrNothing) {
  const Stage stage;
  stage.bake();
  const std::string soft = stage.directory.path("soft.glb");
  const std::string site = stage.directory.path("site");
  const Arguments words{"view", soft, "--viewer", stage.viewer, "--export", site, "--json"};
  for (int i = 0; i < 2; ++i) {  // the second replaces the first
    const Outcome outcome = supple(words);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out).at("files"), 5);
  }
  EXPECT_EQ(stage.directory.read("site/index.html"), stage.directory.read("viewer/index.html"));
  const Json manifest = Json::parse(stage.directory.read("site/manifest.json"));
  EXPECT_FALSE(manifest.contains("live"));
  for (const char* key : {"character", "flesh"}) {
    EXPECT_TRUE(fs::exists(stage.directory / "site" / manifest.at("items")[0].at(key))) << key;
  }
  stage.directory.write("site/files/soft.supple", "x");
  fs::create_directory(stage.directory / "foreign");
  stage.directory.write("foreign/thesis.txt", "years of work");
  const auto before = stage.directory.list();
  EXPECT_EQ(
      supple({"view", soft, "--viewer", stage.viewer, "--export", stage.directory.path("foreign")})
          .status,
      2);
  EXPECT_EQ(stage.directory.read("foreign/thesis.txt"), "years of work");
  EXPECT_EQ(stage.directory.list(), before);
}

TEST(View, ExportsReplaceOnlyWhatExportsWrote) {
  const Stage stage;
  const auto export_to = [&](const std::string& name) {
    return supple(
        {"view", stage.glb, "--viewer", stage.viewer, "--export", stage.directory.path(name)});
  };
  // An unrelated folder with a file of that name.
  fs::create_directories(stage.directory / "foreign/years");
  stage.directory.write("foreign/supple-export.txt", "of work");
  stage.directory.write("foreign/years/thesis.txt", "years of work");
  EXPECT_EQ(export_to("foreign").status, 2);
  EXPECT_EQ(stage.directory.read("foreign/years/thesis.txt"), "years of work");
  // Our own, to which something was added.
  ASSERT_EQ(export_to("site").status, 0);
  ASSERT_EQ(export_to("site").status, 0);
  stage.directory.write("site/files/notes.txt", "mine");
  const Outcome refused = export_to("site");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("contains files not written by an export"), std::string::npos)
      << refused.err;
  EXPECT_EQ(stage.directory.read("site/files/notes.txt"), "mine");
  fs::remove(stage.directory / "site/files/notes.txt");
  fs::create_directory(stage.directory / "site/mine");
  EXPECT_EQ(export_to("site").status, 2);
  // The folder that is copied.
  for (const char* name : {"viewer", "viewer/site", "viewer/../viewer/a/b"}) {
    EXPECT_EQ(export_to(name).status, 2) << name;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(stage.viewer), fs::directory_iterator()), 1);
}

TEST(View, SaysWhatIsWrongWithItsOptions) {
  const Stage stage;
  const auto fails = [&](const Arguments& arguments, int status, const char* word) {
    Arguments words{"view", "--no-browser"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const Outcome outcome = supple(words);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
  };
  const std::string& viewer = stage.viewer;
  fails({"--viewer", stage.directory.path("none")}, 5, "no viewer");
  fails({"--viewer", viewer, stage.directory.path("none.glb")}, 5, "none.glb");
  fails({"--viewer", viewer, stage.directory.write("a.txt", "")}, 2, ".supple");
  fails({"--viewer", viewer, stage.directory.write("a.glb", "glTF?")}, 3, "a.glb");
  fails({"--viewer", viewer, stage.directory.write("b.gltf", "{}")}, 3, "b.gltf");
  fails({"--viewer", viewer, stage.directory.write("d.glb", "")}, 3, "d.glb: the file is empty");
  const std::string pipe = stage.directory.path("e.glb");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fails({"--viewer", viewer, pipe}, 5, "a pipe or a device");
  fails({"--viewer", viewer, stage.directory.write("c.supple", "x")}, 3, "c.supple");
  fails({"--viewer", viewer, "--port", "70000"}, 2, "port");
  fails({"--viewer", viewer, "--gallery", stage.directory.path("none")}, 5, "supple demo");
  fails({"--viewer", viewer, "--gallery", viewer, stage.glb}, 2, "not both");
}

TEST(View, SaysWhatIsWrongWithASwim) {
  const Stage stage;
  const auto fails = [&](const Arguments& words, int status, const char* why) {
    Arguments all{"view", "--no-browser", "--viewer", stage.viewer};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = supple(all);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  fails({stage.glb, "--swim"}, 2, "give only one of --swim, files or --gallery");
  fails({"--gallery", stage.directory.path().string(), "--swim"}, 2, "give only one of");
  fails({"--swim", "doggypaddle"}, 3, "available: backstroke, breaststroke");
  fails({"--swim", stage.directory.path("none.toml")}, 5, "none.toml");
}

TEST(View, SwimsForPagesThatKnowItsToken) {
  const Stage stage;
  Viewing viewing(stage, {"--swim", "glide"});
  const Json manifest = viewing.manifest();
  EXPECT_EQ(manifest.at("items")[0].at("action"), "swim");
  const std::string address = fmt::format("/{}", manifest.at("live").at("swim").get<std::string>());
  const Json setup = Json::parse(viewing.ask(address).body, nullptr, false);
  EXPECT_EQ(setup.at("segments").size(), 15U);
  Client pages(viewing.port);
  pages.send(get(viewing.port, fmt::format("/{}", setup.at("frames").get<std::string>())));
  const std::string stream = pages.receive_until("event: frame\ndata: AQ8");  // version 1, 15 parts
  EXPECT_NE(stream.find("event: frame\ndata: AQ8"), std::string::npos) << stream;
  const auto post = [&](const std::string& token, const std::string& body) {
    return request(viewing.port, fmt::format("POST {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n"
                                             "X-Supple-Token: {}\r\nContent-Length: {}\r\n\r\n{}",
                                             address, viewing.port, token, body.size(), body));
  };
  const std::string token = manifest.at("live").at("token");
  EXPECT_EQ(post(token, "{\"hold\": {\"left\": 1}}").status, 200);
  EXPECT_EQ(post(token, "{\"hold\": {\"left\": 2}}").status, 400);
  EXPECT_EQ(post("guess", "{\"reset\": true}").status, 403);
  EXPECT_EQ(viewing.interrupt(), 0) << "with a page that still listens";
}

TEST(View, DistrustsGalleries) {
  const Stage stage;
  const auto fails = [&](const char* json, const char* word) {
    stage.directory.write("gallery.json", json);
    const Outcome outcome = supple({"view", "--no-browser", "--viewer", stage.viewer, "--gallery",
                                    stage.directory.path().string()});
    EXPECT_EQ(outcome.status, 3) << json << outcome.err;
    EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
  };
  fails("", "items");
  fails("[]", "items");
  fails(R"({"version": 1, "items": 3})", "items");
  fails(R"({"version": 2, "items": []})", "version");
  fails(R"({"version": 1, "items": [7]})", "item 1");
  fails(R"({"version": 1, "items": [{"id": "a", "title": "A"}]})", "character");
  fails(R"({"version": 1, "items": [{"id": "a/b", "title": "A", "character": "hero.glb"}]})", "id");
  fails(R"({"version": 1, "items": [{"id": "a", "title": 1, "character": "hero.glb"}]})", "title");
  fails(R"({"version": 1, "items": [{"id": "a", "title": "A", "character": "../x/hero.glb"}]})",
        "is outside the gallery's directory");
  fails(R"({"version": 1, "items": [{"id": "a", "title": "A", "character": "/etc/passwd"}]})",
        "is outside the gallery's directory");
  fails(R"({"version": 1, "items": [{"id": "a", "title": "A", "character": "none.glb"}]})",
        "none.glb");
  const TemporaryDirectory elsewhere;
  const std::string secret = elsewhere.write("secret.glb", glb_text(tube_character()));
  fs::create_symlink(secret, stage.directory / "link.glb");
  fs::create_directory_symlink(elsewhere.path(), stage.directory / "up");
  for (const char* name : {"link.glb", "up/secret.glb"}) {
    fails(
        fmt::format(
            R"({{"version": 1, "items": [{{"id": "a", "title": "A", "character": "{}"}}]}})", name)
            .c_str(),
        "is outside the gallery's directory");
  }
  // Under our own origin a page or a script could do what our own can.
  for (const char* name : {"a.html", "a.svg", "a.js", "a.toml", "a"}) {
    stage.directory.write(name, "<script>");
    for (const char* key : {"picture", "video"}) {
      fails(fmt::format(R"({{"version": 1, "items": [{{"id": "a", "title": "A",
                        "character": "hero.glb", "{}": "{}"}}]}})",
                        key, name)
                .c_str(),
            "is not one of");
    }
  }
}

TEST(View, AGallerysLinksAreNotWrittenThrough) {
  const Stage stage;
  const TemporaryDirectory elsewhere;
  const std::string victim = elsewhere.write("victim.toml", "# mine\n");
  fs::create_symlink(victim, stage.directory / "hero.bake.toml");
  stage.directory.write("gallery.json", R"({"version": 1, "items":
      [{"id": "hero", "title": "A", "character": "hero.glb"}]})");
  const Viewing viewing(stage, {"--gallery", stage.directory.path().string()});
  EXPECT_EQ(viewing.ask("/files/hero.toml").status, 404);
  EXPECT_EQ(viewing.put("/api/settings/hero", kShinSettings).status, 409);
  EXPECT_EQ(elsewhere.read("victim.toml"), "# mine\n");
}

}  // namespace
}  // namespace supple::testing
