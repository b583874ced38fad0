// SPDX-License-Identifier: Apache-2.0
#include "supple/core/markup.hpp"

#include <gtest/gtest.h>

namespace supple {
namespace {

TEST(Markup, IsEscapedBetweenTagsAndInAttributes) {
  EXPECT_EQ(escape_markup("a < b && \"c\" > 'd'"),
            "a &lt; b &amp;&amp; &quot;c&quot; &gt; &#39;d&#39;");
  EXPECT_EQ(escape_markup("T\xC3\xBCr, \xE2\x88\x9A"
                          "2\n\tof \xF0\x9D\x84\x9E"),
            "T\xC3\xBCr, \xE2\x88\x9A"
            "2\n\tof \xF0\x9D\x84\x9E");
  EXPECT_EQ(escape_markup(""), "");
}

// XML 1.0 section 2.2, and UTF-8 that is cut off, too long or stands for half of a pair.
TEST(Markup, WhatXmlForbidsBecomesAQuestionMark) {
  EXPECT_EQ(escape_markup("a\x01z"), "a?z");
  EXPECT_EQ(escape_markup("\xEF\xBF\xBE"), "???");
  EXPECT_EQ(escape_markup("\xC3"), "?");
  EXPECT_EQ(escape_markup("\xC0\xAF"), "??");
  EXPECT_EQ(escape_markup("\xED\xA0\x80"), "???");
}

}  // namespace
}  // namespace supple
